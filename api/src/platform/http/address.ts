import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

/** Tells Fastify which hops of a forwarded address to trust. */
export const trustsHop = (proxies: number) => (proxies > 0 ? (_address: string, hop: number) => hop < proxies : false)

/**
 * The address of a client. Behind our own proxies it is the address that the outermost proxy saw; entries before it in
 * the header can be forged.
 */
export function addressOf({ headers, socket }: IncomingMessage, proxies: number): string {
  const direct = socket.remoteAddress ?? ''
  if (proxies === 0) return direct
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  return forwarded.slice(-proxies)[0] ?? direct
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether an address is of this machine. */
export const isLoopback = (address: string): boolean => loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/**
 * The network that limits count. One subscriber owns a whole IPv6 /64 and may call from each of its addresses, so these
 * count as one.
 */
export function networkOf(address: string): string {
  const v4 = MAPPED.exec(address)?.[1]
  if (v4) return v4
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [head = '', tail] = plain.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const [front, back] = [groups(head), tail === undefined ? [] : groups(tail)]
  const filled =
    tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back]
  const first = filled.slice(0, 4).map((group) => parseInt(group, 16).toString(16))
  return `${first.join(':')}::/64`
}
