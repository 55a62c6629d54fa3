import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The prefix and the checksum let scanners of repositories and logs recognize a key for certain. */
const PREFIX = 'rk_'
/** Of the keys by which sources of positions send. */
export const TRACKER_PREFIX = 'rt_'
const SECRET_LENGTH = 43
const CHECKSUM_LENGTH = 7
const SHOWN_LENGTH = 6

const checksumOf = (secret: string) => crc32(secret).toString(36).padStart(CHECKSUM_LENGTH, '0')

/** A new API key of 256 random bits. */
export function newApiKey(prefix = PREFIX): string {
  const secret = randomBytes(32).toString('base64url')
  return `${prefix}${secret}${checksumOf(secret)}`
}

/** Whether a token is meant as an API key. A session's token may begin alike and is exactly as long as the secret. */
export const isApiKey = (token: string): boolean => token.startsWith(PREFIX) && token.length !== SECRET_LENGTH

/** Whether a key is complete: a mistyped one is refused without the database. */
export function isWholeApiKey(token: string, prefix = PREFIX): boolean {
  const secret = token.slice(PREFIX.length, PREFIX.length + SECRET_LENGTH)
  return token === `${prefix}${secret}${checksumOf(secret)}`
}

/** The characters that are kept in clear, for people to recognize a key. */
export const startOfApiKey = (token: string): string => token.slice(0, PREFIX.length + SHOWN_LENGTH)
