import { type Role, roles } from '@roadshow/contract'
import { z } from 'zod'
import { StartError } from './platform/runtime/start-error.ts'

/** A company's identity provider, by OpenID Connect. */
export interface SingleSignOnSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** What people call it; the words on the button. */
  name: string
  scopes: string
  /** The claim that holds a user's groups or roles. */
  roleClaim: string
  /** Values of that claim and the role each gives; the first that a user has decides. */
  roles: readonly ClaimedRole[]
}

export interface ClaimedRole {
  value: string
  role: Role
}

const claimedRole = z
  .string()
  .regex(/^[^=]+=[^=]+$/)
  .transform((given) => {
    const [value = '', role = ''] = given.split('=').map((part) => part.trim())
    return { value, role }
  })
  .pipe(z.object({ value: z.string().min(1), role: z.enum(roles) }))

const ROLES = 'must be values and roles such as fleet-admins=admin,dispatch=sales'

/** A name that people read. */
export const nameOf = (longest: number) =>
  z.string().trim().min(1, 'must not be blank').max(longest, `must have at most ${longest} characters`)

export const singleSignOnShape = {
  OIDC_ISSUER: z.url({ protocol: /^https?$/, error: 'must be a URL such as https://login.example.com' }).optional(),
  OIDC_CLIENT_ID: z.string().trim().optional(),
  OIDC_CLIENT_SECRET: z.string().trim().optional(),
  OIDC_NAME: nameOf(40).prefault('your company account'),
  OIDC_SCOPES: z
    .string()
    .regex(/^[\x21-\x7e]+( [\x21-\x7e]+)*$/, 'must be scopes such as openid email profile')
    .refine((given) => given.split(' ').includes('openid'), 'must be scopes with openid among them')
    .prefault('openid email profile'),
  OIDC_ROLE_CLAIM: z.string().trim().min(1, 'must not be blank').prefault('roles'),
  OIDC_ROLES: z
    .string()
    .transform((given) => given.split(',').map((pair) => pair.trim()))
    .refine((pairs) => pairs.every((pair) => claimedRole.safeParse(pair).success), ROLES)
    .transform((pairs) => pairs.map((pair) => claimedRole.parse(pair)))
    .refine(
      (pairs) => pairs.every(({ role }) => role !== 'client'),
      'must not name the role client: a client’s account belongs to a client and needs an invitation',
    )
    .optional(),
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], 'must be on or off').prefault('on'),
}

const shape = z.object(singleSignOnShape)
type Given = z.output<typeof shape>

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

function refuseOpenIssuer(issuer: string, production: boolean): void {
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'https:') return
  if (production) throw new StartError('The setting OIDC_ISSUER must begin with https:// in production.')
  if (!LOOPBACK.test(hostname)) throw new StartError('The setting OIDC_ISSUER must begin with https://.')
}

/** The settings of single sign-on. Issuer, client id and secret are there together or not at all. */
export function singleSignOnOf(given: Given, production: boolean): SingleSignOnSettings | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = given
  const needed = { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }
  const missing = Object.entries(needed).filter(([, value]) => value === undefined)
  if (missing.length === Object.keys(needed).length) {
    if (given.PASSWORD_SIGN_IN === 'off') {
      throw new StartError('The setting PASSWORD_SIGN_IN cannot be off without OIDC_ISSUER: no one could sign in.')
    }
    if (given.OIDC_ROLES) throw new StartError('The setting OIDC_ISSUER is missing: OIDC_ROLES needs it.')
    return undefined
  }
  for (const [name] of missing) throw new StartError(`The setting ${name} is missing: single sign-on needs it.`)
  refuseOpenIssuer(OIDC_ISSUER ?? '', production)
  return {
    issuer: OIDC_ISSUER ?? '',
    clientId: OIDC_CLIENT_ID ?? '',
    clientSecret: OIDC_CLIENT_SECRET ?? '',
    name: given.OIDC_NAME,
    scopes: given.OIDC_SCOPES,
    roleClaim: given.OIDC_ROLE_CLAIM,
    roles: given.OIDC_ROLES ?? [],
  }
}
