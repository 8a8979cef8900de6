{{#SCHEDULER}}# Every pod of the gang; one that went to another scheduler would be placed alone.
schedulerName: {{SCHEDULER_NAME}}
{{/SCHEDULER}}
