import * as z from '../platform/zod.ts'
import { anyOf, instant, listQuery, namedRef, one, page, requiredLine, uid } from '../platform/common.ts'
import { endpoint } from '../platform/endpoint.ts'
import { moduleKey, modules, permissionTable } from '../platform/permissions.ts'
import type { ModuleKey } from '../platform/permissions.ts'

/** What a key may do with the calls of its modules. */
export const apiKeyAccess = z.enum(['read', 'write'], 'Must be read or write.')
export type ApiKeyAccess = z.infer<typeof apiKeyAccess>

export const apiKeyStateLabel = { open: 'Active', expired: 'Expired', ended: 'Ended' } as const
export type ApiKeyState = keyof typeof apiKeyStateLabel
const apiKeyState = z.enum(Object.keys(apiKeyStateLabel) as [ApiKeyState, ...ApiKeyState[]])

export const apiKeyEndLabel = {
  ended: 'Ended by an admin',
  makerDeleted: 'The user who created it was deleted',
  makerLostAccess: 'The user who created it lost the permissions it needs',
  clientDeleted: 'Its client was deleted',
} as const
type ApiKeyEnd = keyof typeof apiKeyEndLabel

export const apiKey = z.strictObject({
  uid,
  name: z.string(),
  /** The first characters of the key, by which people recognize it. */
  start: z.string(),
  modules: z.array(moduleKey),
  access: apiKeyAccess,
  /** The one client that it reaches; null for all. */
  client: namedRef.nullable(),
  state: apiKeyState,
  /** The admin in whose name it acts. */
  createdBy: namedRef,
  createdAt: instant,
  expiresAt: instant,
  lastUsedAt: instant.nullable(),
  lastAddress: z.string().nullable(),
  endedAt: instant.nullable(),
  endedBy: namedRef.nullable(),
  endReason: z.enum(Object.keys(apiKeyEndLabel) as [ApiKeyEnd, ...ApiKeyEnd[]]).nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

export const MAX_KEY_DAYS = 365

/** The modules that open something to a key for one client. */
export const clientKeyModules: readonly ModuleKey[] = modules.filter((key) => permissionTable[key].client !== 'none')

export const apiKeyInput = z
  .strictObject({
    name: requiredLine(80),
    modules: z
      .array(moduleKey)
      .min(1, 'Choose at least one module.')
      .max(modules.length)
      .transform((given) => modules.filter((key) => given.includes(key))),
    access: apiKeyAccess,
    /** The one client that it reaches; null for all. */
    clientUid: uid.nullable().prefault(null),
    expiresInDays: z
      .int('Must be a whole number of days.')
      .min(1, 'At least 1 day.')
      .max(MAX_KEY_DAYS, `At most ${MAX_KEY_DAYS} days.`),
  })
  .superRefine(({ clientUid, access, modules: chosen }, context) => {
    if (clientUid === null) return
    if (access === 'write') {
      context.addIssue({ code: 'custom', path: ['access'], message: 'A key for one client can only read.' })
    }
    if (!chosen.every((key) => clientKeyModules.includes(key))) {
      context.addIssue({ code: 'custom', path: ['modules'], message: 'Some of these modules show a client nothing.' })
    }
  })
export type ApiKeyInput = z.input<typeof apiKeyInput>

const view = { module: 'users', needs: 'view' } as const
const edit = { module: 'users', needs: 'edit' } as const

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: 'api-keys/run',
    access: view,
    summary: 'API keys, newest first; searched in name, first characters, creator and client.',
    follows: ['apiKeys'],
    added: true,
    query: listQuery(['at'], { state: anyOf(apiKeyState).optional() }),
    reply: page(apiKey),
  }),
  get: endpoint({
    method: 'GET',
    path: 'api-keys/{uid}',
    access: view,
    summary: 'One API key, without the key itself.',
    follows: ['apiKeys'],
    added: true,
    params: z.strictObject({ uid }),
    reply: one(apiKey),
  }),
  create: endpoint({
    method: 'POST',
    path: 'api-keys/',
    access: edit,
    summary: 'Creates an API key. The key itself is in this answer only; the server keeps a hash of it.',
    added: true,
    secret: true,
    body: apiKeyInput,
    reply: one(z.strictObject({ key: z.string(), apiKey })),
  }),
  end: endpoint({
    method: 'DELETE',
    path: 'api-keys/{uid}',
    access: edit,
    summary: 'Ends an API key at once, on every node.',
    added: true,
    params: z.strictObject({ uid }),
    reply: one(apiKey),
  }),
}
