import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

/** Networks that a request to an address given by a user never reaches: [network, length of its prefix]. */
const CLOSED_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Link-local, with the metadata service of most clouds.
  ['169.254.0.0', 16],
  // Azure's own services on each machine.
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Of IPv6 only this is public; mapped and translated IPv4, private, link-local and multicast addresses lie outside. */
const OPEN_V6 = ['2000::', 3] as const
const CLOSED_V6: readonly [string, number][] = [
  // Special purposes, Teredo among them.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 carries any IPv4 address.
  ['2002::', 16],
  ['3fff::', 20],
]

function listOf(v4: readonly (readonly [string, number])[], v6: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of v4) list.addSubnet(network, prefix, 'ipv4')
  for (const [network, prefix] of v6) list.addSubnet(network, prefix, 'ipv6')
  return list
}

const closed = listOf(CLOSED_V4, CLOSED_V6)
const open = listOf([], [OPEN_V6])

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** Whether an address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !closed.check(address, 'ipv4')
  return isIPv6(address) && !address.includes('%') && open.check(address, 'ipv6') && !closed.check(address, 'ipv6')
}

/** The private networks and hosts that the operator allows. */
export interface AllowedNetworks {
  isEmpty: boolean
  hasHost(host: string): boolean
  hasAddress(address: string): boolean
}

const NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

function subnetOf(entry: string): [string, number] | undefined {
  const [address = '', prefix, ...more] = entry.split('/')
  const longest = isIP(address) === 4 ? 32 : 128
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return undefined
  if (prefix === undefined) return [address, longest]
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= longest ? [address, Number(prefix)] : undefined
}

/** Whether an entry of OUTBOUND_PRIVATE_NETWORKS is a network, an address or a host name. */
export const isNetworkEntry = (entry: string): boolean =>
  subnetOf(entry) !== undefined || (NAME.test(entry.toLowerCase()) && !/(^|\.)\d+$/.test(entry))

/** A host name as it is compared: without the dot at its end, which means the same host. */
const plainHost = (host: string) => host.toLowerCase().replace(/\.$/, '')

export function allowedNetworks(entries: readonly string[]): AllowedNetworks {
  const subnets = entries.map(subnetOf).filter((subnet) => subnet !== undefined)
  const addresses = listOf(
    subnets.filter(([address]) => isIPv4(address)),
    subnets.filter(([address]) => isIPv6(address)),
  )
  const hosts = new Set(entries.filter((entry) => !subnetOf(entry)).map(plainHost))
  return {
    isEmpty: entries.length === 0,
    hasHost: (host) => hosts.has(plainHost(host)),
    hasAddress: (address) =>
      isIP(address) !== 0 && !address.includes('%') && addresses.check(address, familyOf(address)),
  }
}

/** A host of a URL as an address; undefined where it is a name. */
const addressOfHost = (host: string) => {
  const plain = host.replace(/^\[|\]$/g, '')
  return isIP(plain) === 0 ? undefined : plain
}

/** Where a request may go, as far as its URL tells. */
export interface OutboundTarget {
  url: URL
  /** The name or address without brackets, as it is resolved. */
  host: string
}

const PRIVATE_ADDRESS = 'This address is in a private network, so nothing is sent to it.'
const NEEDS_HTTPS = 'The address must begin with https://.'

/** Whether a port of a public host may be used: that of HTTPS, and those that no basic service of a machine uses. */
const isOpenPort = (port: number) => port === 443 || port >= 1024

/** Reads a URL given by a user; a sentence if nothing may be sent to it whatever its name resolves to. */
export function readOutboundUrl(given: string, allowed: AllowedNetworks): OutboundTarget | string {
  if (!URL.canParse(given)) return 'This is not a valid address.'
  const url = new URL(given)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return NEEDS_HTTPS
  if (url.username !== '' || url.password !== '') return 'The address must not contain a user name or password.'
  const address = addressOfHost(url.hostname)
  const host = address ?? url.hostname
  const isAllowed = allowed.hasHost(host) || (address !== undefined && allowed.hasAddress(address))
  if (isAllowed) return { url, host }
  if (address !== undefined && !isPublicAddress(address)) return PRIVATE_ADDRESS
  if (/(^|\.)localhost$/.test(plainHost(host)) && !allowed.hasAddress('127.0.0.1')) return PRIVATE_ADDRESS
  // A name may resolve to an address that is allowed; that is checked before anything is sent.
  if (address === undefined && !allowed.isEmpty) return { url, host }
  return schemeProblem(url) ?? { url, host }
}

/** What a public host refuses of a URL besides its address. */
function schemeProblem({ protocol, port }: URL): string | undefined {
  if (protocol !== 'https:') return NEEDS_HTTPS
  return port === '' || isOpenPort(Number(port))
    ? undefined
    : `Port ${port} can't be used. Use 443 or one from 1024 on.`
}

/** Why a request must not go to an address that a name resolved to; undefined if it may. */
export function refusalOf({ url, host }: OutboundTarget, address: string, allowed: AllowedNetworks) {
  if (allowed.hasHost(host) || allowed.hasAddress(address)) return undefined
  if (!isPublicAddress(address)) return PRIVATE_ADDRESS
  return schemeProblem(url)
}
