import { API_BASE, DATA_PART, type Endpoint, errorBody, errors, takesKeys } from '@roadshow/contract'
import { z } from 'zod'

type Json = Record<string, unknown>

export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return json
}

const tagOf = ({ path }: Endpoint) => path.split('/')[0] ?? ''

function parameters(
  schema: z.ZodObject | undefined,
  location: 'path' | 'query',
  filledIn: Record<string, string> = {},
): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Json; required?: string[] }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || (required.includes(name) && !(name in filledIn)),
    ...(filledIn[name] && { description: `If missing: ${filledIn[name]}.` }),
    schema: property,
  }))
}

/** States who may call an endpoint: which users, and which API keys. */
export function accessText(endpoint: Endpoint): string {
  const { access } = endpoint
  if (access === 'public') return 'Anyone.'
  if (access === 'signedIn') return 'Any signed-in user; no API keys.'
  if ('role' in access) return `Users with the role ${access.role}; no API keys.`
  const isEdit = access.needs === 'edit'
  const keys = takesKeys(endpoint) ? `API keys that may ${isEdit ? 'write' : 'read'} there` : 'no API keys'
  return `Users with permission to ${isEdit ? 'edit' : 'view'} the module ${[access.module].flat().join(' or ')}; ${keys}.`
}

const securityOf = (endpoint: Endpoint): Json[] => {
  if (endpoint.access === 'public') return []
  return [{ session: [] }, ...(takesKeys(endpoint) ? [{ apiKey: [] }] : [])]
}

const securitySchemes = {
  session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The token of a signed-in user, as authentication/authenticate answers it.',
  },
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'rk_…',
    description: 'An API key. An admin creates it under System → API keys, for chosen modules, to read or to write.',
  },
}

/** A call that takes files is sent as a form, with the body as JSON in one part of it. */
function contentOf({ files }: Endpoint, body: z.ZodType): Json {
  const schema = schemaOf(body, 'input')
  if (!files) return { 'application/json': { schema } }
  const parts = Object.entries(files).map(([name, { count, types, bytes }]) => {
    const description = `At most ${count}, each at most ${bytes} bytes.`
    const items = { type: 'string', contentMediaType: types.join(', ') }
    return [name, { type: 'array', maxItems: count, items, description }] as const
  })
  return {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [DATA_PART],
        properties: { [DATA_PART]: schema, ...Object.fromEntries(parts) },
      },
      encoding: { [DATA_PART]: { contentType: 'application/json' } },
    },
    'application/json': { schema },
  }
}

function operation(endpoint: Endpoint): Json {
  return {
    operationId: `${endpoint.method} ${endpoint.path}`,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: `${accessText(endpoint)}${endpoint.added ? ' Added: not in the specification.' : ''}`,
    ...(endpoint.added && { 'x-added': true }),
    security: securityOf(endpoint),
    parameters: [...parameters(endpoint.params, 'path'), ...parameters(endpoint.query, 'query', endpoint.filledIn)],
    ...(endpoint.body && { requestBody: { required: true, content: contentOf(endpoint, endpoint.body) } }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': { schema: schemaOf(endpoint.reply, 'output') } } },
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

/** The contract as OpenAPI 3.1, derived from what is served. */
export function openapi(endpoints: Endpoint[], brandName: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = (paths[`/${endpoint.path}`] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  const codes = Object.entries(errors).map(([code, [status, text]]) => `- \`${code}\` (${status}): ${text}`)
  return {
    openapi: '3.1.0',
    info: { title: `${brandName} API`, version: '1', description: `Error codes:\n\n${codes.join('\n')}` },
    servers: [{ url: API_BASE }],
    paths,
    components: {
      securitySchemes,
      responses: {
        Error: {
          description: 'Not done, with a sentence for a person.',
          content: { 'application/json': { schema: schemaOf(errorBody, 'output') } },
        },
      },
    },
  }
}
