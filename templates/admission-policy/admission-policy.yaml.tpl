# Rules of muster about one Kubernetes object, for the API server itself (1.30 and later): kubectl apply -f FILE
#
# Each rule is a policy with a binding. Errors are denied, warnings shown to who applies the object and written to the
# audit log, what is worth knowing goes to the audit log alone; `validationActions` of a binding changes that.
#
# * failurePolicy is Ignore: an expression that cannot be evaluated, because an object is of another shape or very
#   large, says nothing against the object. What is unknown is no finding.
# * An update of an object that was so before is let through, so that operators can go on with what runs, and what is
#   deleted can go.
# * What a controller makes is not judged: its Deployment, Job or RayCluster was. Where the controller's own object is of
#   a kind that no policy here is about (its `resourceRules`), nothing is judged: `muster check` knows more kinds.
# * Namespaces of Kubernetes itself are left alone, and those with the label `muster.dev/admission: "off"`.
#
# What no policy can state is listed at the end.
{{#POLICY}}
---
# {{SAYS}} ({{SEVERITY}})
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: {{NAME}}
  labels:
    app.kubernetes.io/managed-by: muster
  annotations:
    muster.dev/rule: {{RULE}}
spec:
  failurePolicy: Ignore
  matchConstraints:
    resourceRules:
{{#RESOURCES}}
      - apiGroups: [{{GROUP}}]
        apiVersions: [{{VERSION}}]
        operations: [CREATE, UPDATE]
        resources:
{{#RESOURCE}}
          - {{RESOURCE_NAME}}
{{/RESOURCE}}
{{/RESOURCES}}
  matchConditions:
    - name: not-made-by-a-controller
      expression: "!dyn(object).metadata.?ownerReferences.orValue([]).exists(r, r.?controller.orValue(false))"
  variables:
{{#VARIABLE}}
    - name: {{VARIABLE_NAME}}
      expression: {{VALUE}}
{{/VARIABLE}}
  validations:
    - expression: {{EXPRESSION}}
      message: {{MESSAGE}}
{{#IN_WORDS}}
      messageExpression: {{WORDS}}
{{/IN_WORDS}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: {{NAME}}
  labels:
    app.kubernetes.io/managed-by: muster
spec:
  policyName: {{NAME}}
  validationActions:
{{#ACTION}}
    - {{ACTION_NAME}}
{{/ACTION}}
  matchResources:
    namespaceSelector:
      matchExpressions:
        - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, kube-public, kube-node-lease]}
        - {key: muster.dev/admission, operator: NotIn, values: ["off"]}
{{/POLICY}}
# What is not here, and why:
{{#LEFT_OUT}}
#
# {{REASON}}:
{{#LEFT_OUT_RULE}}
#   {{LEFT_OUT_ID}}
{{/LEFT_OUT_RULE}}
{{/LEFT_OUT}}
