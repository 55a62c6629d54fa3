import type { ErrorCode, Role } from '@roadshow/contract'
import type { ClaimedRole } from '../../env-single-sign-on.ts'

/** What an identity provider says about a person. */
export interface ProviderIdentity {
  issuer: string
  /** The provider's own name for the person; it never goes to another one. */
  subject: string
  /** Undefined unless the provider has verified that the person owns the address. */
  verifiedEmail: string | undefined
  name: string
  /** The role that the claim map gives. */
  claimedRole: Role | undefined
  /** Whether the person has proved a second factor to the provider. */
  hasSecondFactor: boolean
  /** The provider's id of its own session. */
  sid: string | null
  idToken: string
}

type Claims = Record<string, unknown>

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined

const isTrue = (value: unknown) => value === true || value === 'true'

/**
 * The address that the provider vouches for, of the first of its answers that names one: what one answer verifies says
 * nothing about the address in another. Microsoft Entra ID does not send `email_verified`; its `xms_edov` says that the
 * owner of the domain has verified the address.
 */
export function verifiedEmailOf(answers: readonly Claims[]): string | undefined {
  const claims = answers.find((answer) => answer['email'] !== undefined) ?? {}
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov']) || claims['xms_edov'] === 1
  const email = textOf(claims['email'])?.toLowerCase()
  return isVerified && email && email.length <= 254 && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value])

/** The role of the first entry in the map whose value the claim contains. */
export function claimedRoleOf(claim: unknown, roles: readonly ClaimedRole[]): Role | undefined {
  const values = listOf(claim)
  return roles.find(({ value }) => values.includes(value))?.role
}

/** Methods of RFC 8176, and those of Microsoft and Okta, that are more than a password. */
const STRONG_METHODS = ['mfa', 'otp', 'hwk', 'swk', 'sc', 'fido', 'pop', 'fpt', 'face', 'iris', 'ngcmfa', 'phr', 'phrh']

export const hasStrongMethod = (amr: unknown): boolean =>
  listOf(amr).some((method) => typeof method === 'string' && STRONG_METHODS.includes(method))

/** A name for the account of a person whom the provider may not name. */
export function accountNameOf(claims: Claims): string {
  const parts = [textOf(claims['given_name']), textOf(claims['family_name'])].filter(Boolean).join(' ')
  const name = textOf(claims['name']) ?? textOf(parts) ?? textOf(claims['email'])?.split('@')[0] ?? ''
  return (
    name
      .replace(/\p{Cc}/gu, ' ')
      .slice(0, 120)
      .trim() || 'New user'
  )
}

/** An account as far as signing in to it matters. */
export interface KnownAccount {
  uid: string
  role: Role
  isDeleted: boolean
  /** Someone has set a password or signed in, so the account has an owner who has to consent. */
  hasOwner: boolean
}

export interface SignInFacts {
  /** The account that the identity already opens. */
  linked: (KnownAccount & { hasRoleFromClaim: boolean }) | undefined
  /** The account with the verified address. */
  sameEmail: KnownAccount | undefined
  /** Whether claims give roles at all. */
  hasClaimMap: boolean
}

export type SignInVerdict =
  | { is: 'signIn'; userUid: string; role: Role | undefined }
  | { is: 'link'; userUid: string; role: Role | undefined }
  | { is: 'confirm'; userUid: string }
  | { is: 'create'; role: Role }
  | { is: 'refuse'; code: ErrorCode; endsSessionsOf?: string }

/** The role that the account gets now; undefined if it keeps its own. A client's user belongs to a client and keeps it. */
export const newRoleOf = (account: { role: Role }, claimed: Role | undefined): Role | undefined =>
  account.role === 'client' || claimed === account.role ? undefined : claimed

/** What a person whom the provider has identified may do here. */
export function judgeSignIn(
  { verifiedEmail, claimedRole }: Pick<ProviderIdentity, 'verifiedEmail' | 'claimedRole'>,
  { linked, sameEmail, hasClaimMap }: SignInFacts,
): SignInVerdict {
  if (linked) {
    if (linked.isDeleted) return { is: 'refuse', code: 'accountDeleted' }
    const hasLostRole = hasClaimMap && linked.hasRoleFromClaim && claimedRole === undefined && linked.role !== 'client'
    if (hasLostRole) return { is: 'refuse', code: 'singleSignOnNoRole', endsSessionsOf: linked.uid }
    return { is: 'signIn', userUid: linked.uid, role: newRoleOf(linked, claimedRole) }
  }
  if (verifiedEmail === undefined) return { is: 'refuse', code: 'singleSignOnUnverified' }
  if (!sameEmail) {
    return claimedRole ? { is: 'create', role: claimedRole } : { is: 'refuse', code: 'singleSignOnUnknown' }
  }
  if (sameEmail.isDeleted) return { is: 'refuse', code: 'accountDeleted' }
  // The invitation went to this address, and nothing in the account belongs to anyone yet.
  if (!sameEmail.hasOwner) return { is: 'link', userUid: sameEmail.uid, role: newRoleOf(sameEmail, claimedRole) }
  return { is: 'confirm', userUid: sameEmail.uid }
}
