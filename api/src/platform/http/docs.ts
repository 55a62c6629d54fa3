import { API_BASE, DATA_PART, type Endpoint, permissionTable, modules, roleLabel, roles } from '@roadshow/contract'
import { z } from 'zod'
import { escapeHtml, plainPage } from './html.ts'
import { accessText } from './openapi.ts'

const schemaText = (name: string, schema: z.ZodType | undefined, io: 'input' | 'output') => {
  if (!schema) return ''
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return `<details><summary>${name}</summary><pre tabindex="0">${escapeHtml(JSON.stringify(json, null, 2))}</pre></details>`
}

const filesText = ({ files }: Endpoint) => {
  if (!files) return ''
  const parts = Object.entries(files).map(
    ([name, { count, bytes }]) => `<code>${escapeHtml(name)}</code> (at most ${count}, each at most ${bytes} bytes)`,
  )
  return `<p>Multipart: the body as JSON in <code>${DATA_PART}</code>, files in ${parts.join(', ')}.</p>`
}

const callText = (endpoint: Endpoint) => `
  <h3><code>${endpoint.method} ${API_BASE}/${escapeHtml(endpoint.path)}</code></h3>
  <p>${escapeHtml(endpoint.summary)} <small>${escapeHtml(accessText(endpoint))}</small></p>
  ${schemaText('Path', endpoint.params, 'input')}${schemaText('Query', endpoint.query, 'input')}
  ${filesText(endpoint)}${schemaText('Body', endpoint.body, 'input')}${schemaText('Reply', endpoint.reply, 'output')}`

const permissionTableHtml = () => `
  <table><thead><tr><th>Module</th>${roles.map((role) => `<th>${roleLabel[role]}</th>`).join('')}</tr></thead><tbody>
  ${modules.map((key) => `<tr><td>${key}</td>${roles.map((role) => `<td>${permissionTable[key][role]}</td>`).join('')}</tr>`).join('')}
  </tbody></table>`

/** The contract for a person to read, derived from what is served. */
export function docsPage(endpoints: Endpoint[], brandName: string): string {
  const section = (title: string, calls: Endpoint[]) => `<h2>${title}</h2>${calls.map(callText).join('')}`
  return plainPage(
    `${brandName} API`,
    `<h1>${escapeHtml(brandName)} API</h1>
    <p>Machine-readable: <a href="${API_BASE}/openapi.json">openapi.json</a>. Every call but the public ones carries
    <code>Authorization: Bearer …</code>. Lists answer <code>{ data, page, pageSize, total }</code>, everything else
    <code>{ data }</code>, errors <code>{ error, code, fields?, rows? }</code>.</p>
    <h2>Who may do what</h2>
    <p>A user needs the module, and the role decides how far it reaches.</p>${permissionTableHtml()}
    ${section(
      'Calls of the specification',
      endpoints.filter((endpoint) => !endpoint.added),
    )}
    ${section(
      'Added calls',
      endpoints.filter((endpoint) => endpoint.added),
    )}`,
  )
}
