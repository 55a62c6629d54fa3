import { z } from 'zod'

/**
 * The fields of the Kubernetes API and of Compose files that ours use, and no others: a field with a typo would otherwise
 * be ignored by a cluster without a word.
 */
const text = z.string().min(1)
const count = z.int().min(0)
const labels = z.strictObject({ 'app.kubernetes.io/name': z.literal('roadshow') })
const texts = z.record(text, text)
const selector = z.strictObject({ matchLabels: labels })
const metadata = z.strictObject({ name: text, labels, annotations: texts.optional() })
const quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/)

const probe = z.strictObject({
  httpGet: z.strictObject({ path: z.enum(['/healthz', '/readyz']), port: z.literal('http') }),
  periodSeconds: count,
  timeoutSeconds: count.optional(),
  failureThreshold: count,
})

const container = z.strictObject({
  name: text,
  image: text,
  ports: z.array(z.strictObject({ name: text, containerPort: count })),
  envFrom: z.array(z.strictObject({ configMapRef: z.strictObject({ name: text }) })),
  env: z.array(z.strictObject({ name: text, value: text })),
  startupProbe: probe,
  livenessProbe: probe,
  readinessProbe: probe,
  resources: z.strictObject({
    requests: z.strictObject({ cpu: quantity, memory: quantity }),
    limits: z.strictObject({ memory: quantity }),
  }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name: text, mountPath: text, readOnly: z.boolean().optional() })),
})

const volume = z.union([
  z.strictObject({ name: text, secret: z.strictObject({ secretName: text, defaultMode: count }) }),
  z.strictObject({ name: text, emptyDir: z.strictObject({ sizeLimit: quantity }) }),
])

const pod = z.strictObject({
  automountServiceAccountToken: z.literal(false),
  enableServiceLinks: z.literal(false),
  terminationGracePeriodSeconds: count,
  securityContext: z.strictObject({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().positive(),
    runAsGroup: z.int().positive(),
    fsGroup: z.int().positive(),
    seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
  }),
  topologySpreadConstraints: z.array(
    z.strictObject({
      maxSkew: count,
      topologyKey: text,
      whenUnsatisfiable: z.enum(['DoNotSchedule', 'ScheduleAnyway']),
      labelSelector: selector,
    }),
  ),
  containers: z.tuple([container]),
  volumes: z.array(volume),
})

export const deployment = z.strictObject({
  apiVersion: z.literal('apps/v1'),
  kind: z.literal('Deployment'),
  metadata,
  spec: z.strictObject({
    revisionHistoryLimit: count,
    selector,
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxSurge: count, maxUnavailable: count }),
    }),
    template: z.strictObject({ metadata: metadata.omit({ name: true }), spec: pod }),
  }),
})

export const settings = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('ConfigMap'),
  metadata,
  data: texts,
})

export const secret = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Secret'),
  metadata,
  type: z.literal('Opaque'),
  stringData: texts,
})

const service = z.strictObject({
  apiVersion: z.literal('v1'),
  kind: z.literal('Service'),
  metadata,
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name: text, port: count, targetPort: text })),
  }),
})

const backend = z.strictObject({
  service: z.strictObject({ name: z.literal('roadshow'), port: z.strictObject({ name: text }) }),
})
const ingress = z.strictObject({
  apiVersion: z.literal('networking.k8s.io/v1'),
  kind: z.literal('Ingress'),
  metadata,
  spec: z.strictObject({
    ingressClassName: text,
    tls: z.array(z.strictObject({ hosts: z.array(text), secretName: text })),
    rules: z.array(
      z.strictObject({
        host: text,
        http: z.strictObject({
          paths: z.array(z.strictObject({ path: text, pathType: z.literal('Prefix'), backend })),
        }),
      }),
    ),
  }),
})

const disruption = z.strictObject({
  apiVersion: z.literal('policy/v1'),
  kind: z.literal('PodDisruptionBudget'),
  metadata,
  spec: z.strictObject({ maxUnavailable: count, selector }),
})

export const autoscaler = z.strictObject({
  apiVersion: z.literal('autoscaling/v2'),
  kind: z.literal('HorizontalPodAutoscaler'),
  metadata,
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ apiVersion: text, kind: text, name: text }),
    minReplicas: count,
    maxReplicas: count,
    metrics: z.array(
      z.strictObject({
        type: z.literal('Pods'),
        pods: z.strictObject({
          metric: z.strictObject({ name: text }),
          target: z.strictObject({ type: z.literal('AverageValue'), averageValue: quantity }),
        }),
      }),
    ),
    behavior: z.strictObject({
      scaleUp: z.strictObject({ stabilizationWindowSeconds: count }),
      scaleDown: z.strictObject({
        stabilizationWindowSeconds: count,
        policies: z.array(z.strictObject({ type: z.enum(['Pods', 'Percent']), value: count, periodSeconds: count })),
      }),
    }),
  }),
})

const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  resources: z.array(text),
})

/** The schema of each file of deploy/kubernetes. */
export const manifests = {
  'autoscaler.yaml': autoscaler,
  'deployment.yaml': deployment,
  'disruption.yaml': disruption,
  'ingress.yaml': ingress,
  'kustomization.yaml': kustomization,
  'secrets.example.yaml': secret,
  'service.yaml': service,
  'settings.yaml': settings,
}

const seconds = z.string().regex(/^\d+s$/)
const condition = z.strictObject({ condition: z.enum(['service_healthy', 'service_completed_successfully']) })
const composeService = z.strictObject({
  image: text,
  build: z.strictObject({ context: text, dockerfile: text }).optional(),
  entrypoint: z.array(text).optional(),
  command: z.array(z.string()).optional(),
  environment: texts.optional(),
  ports: z.array(text).optional(),
  volumes: z.array(text).optional(),
  depends_on: z.record(text, condition).optional(),
  healthcheck: z.strictObject({ test: z.array(text), interval: seconds, timeout: seconds, retries: count }).optional(),
  restart: z.literal('unless-stopped').optional(),
  stop_grace_period: seconds.optional(),
  read_only: z.literal(true).optional(),
  tmpfs: z.array(text).optional(),
  cap_drop: z.array(text).optional(),
  security_opt: z.array(text).optional(),
  sysctls: texts.optional(),
  mem_limit: text.optional(),
  pids_limit: count.optional(),
  shm_size: text.optional(),
  network_mode: z.literal('none').optional(),
  networks: z.union([z.array(text), z.record(text, z.strictObject({ ipv4_address: z.ipv4() }))]).optional(),
})

export const compose = z.strictObject({
  name: text,
  'x-node': z.unknown(),
  services: z.record(text, composeService),
  volumes: z.record(text, z.null()),
  networks: z.record(
    text,
    z.strictObject({ ipam: z.strictObject({ config: z.array(z.strictObject({ subnet: z.cidrv4() })) }) }),
  ),
})
