import type * as z from './zod.ts'
import type { ModuleKey, Needs } from './permissions.ts'

/** Who may make a call: anybody, anybody signed in, or whoever the permission table lets through. */
export type Access = 'public' | 'signedIn' | { module: ModuleKey | readonly ModuleKey[]; needs: Needs }

export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the API's base path; `{uid}` stands for a path parameter. */
  path: string
  access: Access
  /** What it does, for the readable contract. */
  summary: string
  /** Not in the specification: added because a feature needs it. */
  added?: true
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  reply: z.ZodType
}

/** Declares one call of the API. Server, web client, audit and documentation are all derived from it. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

type Parsed<E, Part extends 'params' | 'query' | 'body'> =
  E extends Record<Part, infer S extends z.ZodType> ? z.output<S> : undefined
type Sent<E, Part extends 'params' | 'query' | 'body'> =
  E extends Record<Part, infer S extends z.ZodType> ? Record<Part, z.input<S>> : { [P in Part]?: undefined }

/** What the handler gets. */
export type ParamsOf<E extends Endpoint> = Parsed<E, 'params'>
export type QueryOf<E extends Endpoint> = Parsed<E, 'query'>
export type BodyOf<E extends Endpoint> = Parsed<E, 'body'>
/** What the caller gives. */
export type InputOf<E extends Endpoint> = Sent<E, 'params'> & Sent<E, 'query'> & Sent<E, 'body'>
/** What comes back. */
export type ReplyOf<E extends Endpoint> = z.input<E['reply']>

/** One record of a list endpoint. */
export type RowOf<E extends Endpoint> = ReplyOf<E> extends { data: (infer R)[] } ? R : never
