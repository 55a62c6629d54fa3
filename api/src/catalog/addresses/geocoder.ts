import { latitude, longitude, type LocatedBy, metersBetween, type Point } from '@roadshow/contract'
import { z } from 'zod'
import { newTrace, type Trace, traceparent } from '../../platform/observability/trace.ts'
import { zipCenter } from '../markets/index.ts'

type Located = Point & { locatedBy: LocatedBy }

/** Finds where an address is, or nothing, as a step of a trace. */
export type Geocoder = (address: string, trace: Trace) => Promise<Located | undefined>

const TIMEOUT_MS = 5_000
const MAX_BYTES = 256 * 1024

const places = z.array(
  z.object({
    lat: z.coerce.number().pipe(latitude),
    lon: z.coerce.number().pipe(longitude),
  }),
)

interface Options {
  /** A Nominatim-compatible service, such as https://nominatim.example.com. */
  url: string | undefined
  /** How the service knows us; Nominatim's terms ask for it. */
  agent: string
  timeoutMs?: number
  onFailure?: (error: unknown, trace: Trace) => void
}

/** Asks the configured service first; what it does not find, and everything without one, is placed by ZIP code. */
export function createGeocoder({ url, agent, timeoutMs = TIMEOUT_MS, onFailure }: Options): Geocoder {
  const ask = (address: string, trace: Trace) =>
    url === undefined
      ? undefined
      : askNominatim(url, { agent, address, timeoutMs, trace }).catch((error: unknown) => {
          onFailure?.(error, trace)
          return undefined
        })
  return async (address, trace) => {
    const exact = await ask(address, trace)
    if (exact) return { ...exact, locatedBy: 'geocoder' }
    const center = await zipCenter(address)
    return center && { latitude: center.latitude, longitude: center.longitude, locatedBy: 'zip' }
  }
}

const KNOWN_ADDRESS = '1600 Pennsylvania Ave NW, Washington, DC 20500'
const KNOWN_PLACE = { latitude: 38.8977, longitude: -77.0365 }
const NEAR_M = 5000

/** Asks the configured service for an address that every one knows; the sentence says what it answered. */
export async function testGeocoder(url: string, agent: string): Promise<string> {
  const options = { agent, address: KNOWN_ADDRESS, timeoutMs: TIMEOUT_MS, trace: newTrace() }
  const found = await askNominatim(url, options)
  if (!found) throw new Error(`It does not find ${KNOWN_ADDRESS}.`)
  if (metersBetween(found, KNOWN_PLACE) > NEAR_M) throw new Error(`It finds ${KNOWN_ADDRESS} somewhere else.`)
  return `It finds ${KNOWN_ADDRESS}.`
}

/** The host is the configured one, whatever the address says: only the query is the caller's, and no redirect is followed. */
async function askNominatim(
  url: string,
  { agent, address, timeoutMs, trace }: { agent: string; address: string; timeoutMs: number; trace: Trace },
): Promise<Point | undefined> {
  const target = new URL(`${url.replace(/\/$/, '')}/search`)
  target.search = new URLSearchParams({ format: 'jsonv2', limit: '1', countrycodes: 'us', q: address }).toString()
  const response = await fetch(target, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json', 'user-agent': agent, traceparent: traceparent(trace) },
  })
  if (!response.ok) throw new Error(`The geocoder answers ${response.status}.`)
  const [found] = places.parse(JSON.parse(await textOf(response)))
  return found && { latitude: found.lat, longitude: found.lon }
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > MAX_BYTES) throw new Error('The geocoder answers too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
