# Queues of YuniKorn for the tenants of fleet {{FLEET}}. The scheduler reads a change by itself. Pods go into the lowest
# queues, by the label yunikorn.apache.org/queue: root.TENANT.
apiVersion: v1
kind: ConfigMap
metadata:
  name: yunikorn-configs
  namespace: yunikorn
data:
  # Guaranteed is a tenant's guaranteed_gpus, max its limit_gpus. A queue sorted by anything but fifo refuses gangs.
  queues.yaml: |
    partitions:
      - name: default
        queues:
          - name: root
            submitacl: "*"
            queues:
{{#TOP}}              - name: {{TOP_NAME}}
{{#TOP_UPPER}}                parent: true
{{/TOP_UPPER}}{{#TOP_LOWER}}                properties:
                  application.sort.policy: fifo
{{/TOP_LOWER}}                resources:
{{#TOP_GUARANTEED}}                  guaranteed:
                    {{RESOURCE}}: {{TOP_G}}
{{/TOP_GUARANTEED}}{{#TOP_MAX}}                  max:
                    {{RESOURCE}}: {{TOP_M}}
{{/TOP_MAX}}{{#TOP_BELOW}}                queues:
{{#SECOND}}                  - name: {{SECOND_NAME}}
{{#SECOND_UPPER}}                    parent: true
{{/SECOND_UPPER}}{{#SECOND_LOWER}}                    properties:
                      application.sort.policy: fifo
{{/SECOND_LOWER}}                    resources:
{{#SECOND_GUARANTEED}}                      guaranteed:
                        {{RESOURCE}}: {{SECOND_G}}
{{/SECOND_GUARANTEED}}{{#SECOND_MAX}}                      max:
                        {{RESOURCE}}: {{SECOND_M}}
{{/SECOND_MAX}}{{#SECOND_BELOW}}                    queues:
{{#THIRD}}                      - name: {{THIRD_NAME}}
                        properties:
                          application.sort.policy: fifo
                        resources:
{{#THIRD_GUARANTEED}}                          guaranteed:
                            {{RESOURCE}}: {{THIRD_G}}
{{/THIRD_GUARANTEED}}{{#THIRD_MAX}}                          max:
                            {{RESOURCE}}: {{THIRD_M}}
{{/THIRD_MAX}}{{/THIRD}}{{/SECOND_BELOW}}{{/SECOND}}{{/TOP_BELOW}}{{/TOP}}
