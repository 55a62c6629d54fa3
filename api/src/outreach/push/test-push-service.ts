import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A message as a push service got it, and as its browser reads it. */
export interface Delivered {
  headers: IncomingMessage['headers']
  browser: TestBrowser
  text: string
  claims: Record<string, unknown>
}

type PushReply = [status: number, headers?: Record<string, string>]

/** A browser with the keys that it makes when it subscribes. */
export class TestBrowser {
  readonly #ecdh = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly endpoint: string

  constructor(endpoint: string) {
    this.endpoint = endpoint
    this.#ecdh.generateKeys()
  }

  get subscription() {
    const keys = { p256dh: this.#ecdh.getPublicKey('base64url'), auth: this.#auth.toString('base64url') }
    return { endpoint: this.endpoint, keys }
  }

  /** Decrypts a message by RFC 8291 and RFC 8188. */
  decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16)
    const keyEnd = 21 + body.readUInt8(20)
    const sender = body.subarray(21, keyEnd)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), this.#ecdh.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync('sha256', this.#ecdh.computeSecret(sender), this.#auth, info, 32))
    const key = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: aes128gcm\0', 16))
    const nonce = Buffer.from(hkdfSync('sha256', secret, salt, 'Content-Encoding: nonce\0', 12))
    const sealed = body.subarray(keyEnd)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    // The last record ends with a delimiter of 2 and any number of zeros.
    const end = padded.lastIndexOf(2)
    if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('The padding is wrong.')
    return padded.subarray(0, end).toString()
  }
}

/** The claims of a VAPID header (RFC 8292), if its signature is that of the key in it and the key is the expected one. */
function vapidClaims(header: string, publicKey: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(header) ?? []
  if (key !== publicKey) throw new Error('Another key has signed the message.')
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const verifier = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  if (!verify('sha256', Buffer.from(`${head}.${claims}`), verifier, Buffer.from(signature, 'base64url')))
    throw new Error('The signature is wrong.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>
}

/** A push service on loopback, with browsers that read what they get. */
export class TestPushService {
  readonly delivered: Delivered[] = []
  /** The answers to the next messages; then 201. */
  readonly replies: PushReply[] = []
  readonly errors: unknown[] = []
  readonly #browsers = new Map<string, TestBrowser>()
  readonly #server: Server
  publicKey = ''

  private constructor() {
    this.#server = createServer((request, reply) => {
      void this.#take(request).then(([status, headers = {}]) => reply.writeHead(status, headers).end())
    })
  }

  static async open(): Promise<TestPushService> {
    const service = new TestPushService()
    await new Promise<void>((resolve) => service.#server.listen(0, '127.0.0.1', resolve))
    return service
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  openBrowser(): TestBrowser {
    const path = `/push/${randomBytes(24).toString('base64url')}`
    const browser = new TestBrowser(`${this.origin}${path}`)
    this.#browsers.set(path, browser)
    return browser
  }

  async #take(request: IncomingMessage): Promise<PushReply> {
    const browser = this.#browsers.get(request.url ?? '')
    const body = await buffer(request)
    if (!browser) return [404]
    try {
      const { headers } = request
      const claims = vapidClaims(headers.authorization ?? '', this.publicKey)
      this.delivered.push({ headers, browser, text: browser.decrypt(body), claims })
    } catch (error) {
      this.errors.push(error)
      return [400]
    }
    return this.replies.shift() ?? [201]
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
