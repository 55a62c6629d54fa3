import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { Gauge } from 'prom-client'
import { defineJob } from '../jobs/define-job.ts'

export const certificateExpiresAt = new Gauge({
  name: 'roadshow_certificate_expires_timestamp_seconds',
  help: 'When the certificate of PUBLIC_URL expires, as this node sees it.',
  // Nothing is shown until it was seen.
  labelNames: ['host'] as const,
  registers: [],
})

const ANSWER_MS = 10_000

/** When the certificate of an address expires. An expired one is read as well as a good one. */
async function readCertificateEnd(address: string): Promise<number> {
  const { hostname, port } = new URL(address)
  const host = hostname.replace(/^\[|\]$/g, '')
  const name = isIP(host) ? {} : { servername: host }
  const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name })
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) })
    return Date.parse(socket.getPeerCertificate().valid_to)
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

/** A node that cannot reach PUBLIC_URL, as in some networks, shows nothing. */
export const checkCertificate = defineJob('check-certificate', async ({ env: { publicUrl } }) => {
  certificateExpiresAt.reset()
  if (!publicUrl.startsWith('https:')) return
  const end = await readCertificateEnd(publicUrl).catch(() => NaN)
  if (!Number.isNaN(end)) certificateExpiresAt.set({ host: new URL(publicUrl).host }, end / 1000)
})
