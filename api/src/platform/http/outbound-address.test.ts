import { describe, expect, test } from 'vitest'
import { allowedNetworks, isNetworkEntry, isPublicAddress, readOutboundUrl, refusalOf } from './outbound-address.ts'

const none = allowedNetworks([])

describe('an address is on the public internet', () => {
  test.each(['8.8.8.8', '1.1.1.1', '100.63.255.255', '100.128.0.0', '172.15.255.255', '172.32.0.0', '223.255.255.255'])(
    'as %s is',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  test.each(['2606:4700::1111', '2a00:1450:4001::8a'])('as %s is', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  )
  test.each([
    ['0.0.0.0', 'unspecified'],
    ['0.1.2.3', 'this network'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'shared by carriers'],
    ['100.100.100.200', 'metadata of a cloud'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['168.63.129.16', "Azure's services"],
    ['169.254.169.254', 'metadata of most clouds'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.0.0.192', 'metadata of a cloud'],
    ['192.0.2.1', 'documentation'],
    ['192.168.1.1', 'private'],
    ['198.18.0.1', 'benchmarks'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'mapped'],
    ['::ffff:8.8.8.8', 'mapped'],
    ['::127.0.0.1', 'compatible with IPv4'],
    ['64:ff9b::7f00:1', 'translated'],
    ['64:ff9b:1::a00:1', 'translated'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['fc00::1', 'private'],
    ['fd00:ec2::254', 'metadata of a cloud'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'with a zone'],
    ['2606:4700::1111%1', 'with a zone'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['example.com', 'no address'],
  ])('but %s is not: %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('nothing is sent to', () => {
  test.each([
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::]/',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://localhost/',
    'https://LOCALHOST./',
    'https://hooks.localhost/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xA9FEA9FE/',
    'https://3232235777/',
  ])('%s, a private address', (url) =>
    expect(readOutboundUrl(url, none)).toBe('This address is in a private network, so nothing is sent to it.'),
  )

  test.each([
    ['https://[fe80::1%25eth0]/', 'This is not a valid address.'],
    ['https://1.2.3.4.5/', 'This is not a valid address.'],
    ['https://999.1.1.1/', 'This is not a valid address.'],
    ['hooks.example.com', 'This is not a valid address.'],
    ['http://hooks.example.com/', 'The address must begin with https://.'],
    ['ftp://hooks.example.com/', 'The address must begin with https://.'],
    ['file:///etc/passwd', 'The address must begin with https://.'],
    ['https://ann:secret@hooks.example.com/', 'The address must not contain a user name or password.'],
    ['https://ann@hooks.example.com/', 'The address must not contain a user name or password.'],
    ['https://hooks.example.com:22/', "Port 22 can't be used. Use 443 or one from 1024 on."],
    ['https://hooks.example.com:80/', "Port 80 can't be used. Use 443 or one from 1024 on."],
  ])('%s: %s', (url, sentence) => expect(readOutboundUrl(url, none)).toBe(sentence))

  test.each([
    'https://hooks.example.com/',
    'https://hooks.example.com:8443/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('but to %s', (url) => expect(readOutboundUrl(url, none)).toMatchObject({ url: new URL(url) }))
})

describe('what a name resolves to is checked as well', () => {
  const target = (url: string, allowed = none) => {
    const read = readOutboundUrl(url, allowed)
    if (typeof read === 'string') throw new Error(read)
    return read
  }

  test.each(['127.0.0.1', '10.1.1.1', '::1', '::ffff:10.0.0.1', '169.254.169.254'])('%s is refused', (address) =>
    expect(refusalOf(target('https://hooks.example.com/'), address, none)).toMatch(/private network/),
  )
  test('a public address is not', () =>
    expect(refusalOf(target('https://hooks.example.com/'), '8.8.8.8', none)).toBeUndefined())

  test('the operator allows networks, addresses and hosts, by HTTP and any port too', () => {
    const allowed = allowedNetworks(['10.1.0.0/16', '::1', 'Hooks.Internal'])
    expect(refusalOf(target('http://other.example.com:81/', allowed), '10.1.2.3', allowed)).toBeUndefined()
    expect(refusalOf(target('http://other.example.com/', allowed), '10.2.0.1', allowed)).toMatch(/private network/)
    expect(refusalOf(target('http://other.example.com/', allowed), '8.8.8.8', allowed)).toMatch(/https/)
    expect(refusalOf(target('https://other.example.com:25/', allowed), '8.8.8.8', allowed)).toMatch(/Port 25/)
    expect(refusalOf(target('http://hooks.internal./', allowed), '192.168.7.7', allowed)).toBeUndefined()
    expect(target('http://[::1]:8080/', allowed).host).toBe('::1')
    expect(readOutboundUrl('http://127.0.0.1/', allowed)).toMatch(/private network/)
    expect(readOutboundUrl('http://8.8.8.8/', allowed)).toMatch(/https/)
  })
})

test.each([
  ['10.0.0.0/8', true],
  ['127.0.0.1', true],
  ['fd00::/8', true],
  ['localhost', true],
  ['hooks.internal', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0/8/8', false],
  ['fe80::1%eth0', false],
  ['10.0.0', false],
  ['http://hooks.internal', false],
  ['*', false],
])('an entry of the allowed networks: %s, %s', (entry, isValid) => expect(isNetworkEntry(entry)).toBe(isValid))
