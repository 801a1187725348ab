{{- /* What all objects of a release are called and found by. */ -}}
{{- define "plumb.labels" -}}
app.kubernetes.io/name: plumb
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "plumb.name" -}}
{{ printf "%s-plumb" .Release.Name | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{- define "plumb.fromSecret" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .of.existingSecret }}
      key: {{ .of.key }}
{{- end -}}

{{- /* The pod, the same for a single process with a volume and for replicas without one. */ -}}
{{- define "plumb.pod" -}}
metadata:
  labels:
    {{- include "plumb.labels" . | nindent 4 }}
spec:
  automountServiceAccountToken: false
  terminationGracePeriodSeconds: 20
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    # A volume that everybody in it may enter is refused by Plumb, so its modes are left as they are.
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: plumb
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [serve]
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
      ports:
        - name: http
          containerPort: 4400
        - name: metrics
          containerPort: 4401
      env:
        - name: PLUMB_DATA
          value: /data/plumb
        - name: PLUMB_MEMORY
          value: "{{ .Values.memoryMegabytes }}MB"
        - name: PLUMB_ADMIN_PORT
          value: "4401"
        - name: PLUMB_ADMIN_HOST
          value: "0.0.0.0"
        {{- with .Values.publicUrl }}
        - name: PLUMB_PUBLIC_URL
          value: {{ . | quote }}
        {{- end }}
        {{- if .Values.secret.existingSecret }}
        {{- include "plumb.fromSecret" (dict "name" "PLUMB_SECRET" "of" .Values.secret) | nindent 8 }}
        {{- end }}
        {{- if .Values.database.existingSecret }}
        {{- include "plumb.fromSecret" (dict "name" "DATABASE_URL" "of" .Values.database) | nindent 8 }}
        {{- end }}
        {{- if .Values.clickhouse.existingSecret }}
        {{- include "plumb.fromSecret" (dict "name" "CLICKHOUSE_URL" "of" .Values.clickhouse) | nindent 8 }}
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          value: {{ $value | quote }}
        {{- end }}
      lifecycle:
        preStop:
          # Until everything that divides requests among the pods has heard that this one goes: it listens until then.
          exec: {command: [sleep, "5"]}
      startupProbe:
        httpGet: {path: /livez, port: http}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /livez, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /readyz, port: http}
        periodSeconds: 5
        timeoutSeconds: 5
      resources:
        requests:
          {{- with .Values.resources.requests }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
          memory: "{{ div (mul .Values.memoryMegabytes 5) 4 }}M"
        limits:
          {{- with .Values.resources.limits }}
          {{- toYaml . | nindent 10 }}
          {{- end }}
          memory: "{{ div (mul .Values.memoryMegabytes 5) 4 }}M"
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.clickhouse.existingSecret }}
    - name: data
      emptyDir: {}
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
