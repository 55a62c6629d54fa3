import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { NewPasskey, PasskeyAnswer } from '@roadshow/contract'

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const base64url = (data: Buffer | string) => Buffer.from(data).toString('base64url')

type Cbor = number | string | Buffer | Map<number | string, Cbor>

/** The first bytes of a value: its kind, and its length or number. */
function cborHead(kind: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(kind << 5) | count])
  return count < 256 ? Buffer.from([(kind << 5) | 24, count]) : Buffer.from([(kind << 5) | 25, count >> 8, count & 255])
}

/** Just enough of RFC 8949 for keys and attestations. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value])
  const entries = [...value].flatMap(([name, each]) => [cbor(name), cbor(each)])
  return Buffer.concat([cborHead(5, value.size), ...entries])
}

interface Ways {
  origin: string
  /** Counters of many passkeys stay at 0. */
  counts: boolean
  verifiesUser: boolean
}

/** An authenticator in software, with one passkey that really signs. */
export function softwarePasskey(more: Partial<Ways> = {}) {
  const { origin, counts, verifiesUser }: Ways = {
    origin: 'http://localhost:3000',
    counts: true,
    verifiesUser: true,
    ...more,
  }
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle = base64url('nobody')

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  function authenticatorData(rpId: string, attested = Buffer.alloc(0)): Buffer {
    // User present, user verified, and whether a new key follows.
    const flags = 0x01 | (verifiesUser ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counts ? ++counter : 0)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested])
  }

  function coseKey(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    return cbor(
      new Map<number, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]),
    )
  }

  const named = { id: base64url(id), rawId: base64url(id), type: 'public-key' as const }

  return {
    id: named.id,
    /** Sets its counter back, as a copy made earlier would have it. */
    setCounter: (to: number) => void (counter = to),
    /** What the browser sends after making the passkey. */
    create({ challenge, rp, user }: { challenge: string; rp: { id: string }; user: { id: string } }): NewPasskey {
      userHandle = user.id
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const authData = authenticatorData(rp.id, Buffer.concat([Buffer.alloc(16), length, id, coseKey()]))
      const attestation = cbor(
        new Map<string, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      )
      return {
        ...named,
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge)),
          attestationObject: base64url(attestation),
          transports: ['internal'],
        },
      }
    },
    /** What the browser sends after the passkey has signed a challenge. */
    answer({ challenge, rpId }: { challenge: string; rpId: string }): PasskeyAnswer {
      const data = authenticatorData(rpId)
      const client = clientData('webauthn.get', challenge)
      return {
        ...named,
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          userHandle,
        },
      }
    },
  }
}
