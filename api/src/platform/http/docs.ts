import { API_BASE, DATA_PART, type Endpoint, permissionTable, modules, roleLabel, roles } from '@roadshow/contract'
import { z } from 'zod'
import { type Html, html, plainPage } from './html.ts'
import { accessText } from './openapi.ts'

function schemaDetails(name: string, schema: z.ZodType | undefined, io: 'input' | 'output'): Html | undefined {
  if (!schema) return undefined
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return html`<details>
    <summary>${name}</summary>
    <pre tabindex="0">${JSON.stringify(json, null, 2)}</pre>
  </details>`
}

function fileParts({ files }: Endpoint): Html | undefined {
  if (!files) return undefined
  const parts = Object.entries(files).map(
    ([name, { count, bytes }], index) =>
      html`${index > 0 && ', '}<code>${name}</code> (at most ${count}, each at most ${bytes} bytes)`,
  )
  return html`<p>Multipart: the body as JSON in <code>${DATA_PART}</code>, files in ${parts}.</p>`
}

const callDetails = (endpoint: Endpoint): Html =>
  html` <h3><code>${endpoint.method} ${API_BASE}/${endpoint.path}</code></h3>
    <p>${endpoint.summary} <small>${accessText(endpoint)}</small></p>
    ${schemaDetails('Path', endpoint.params, 'input')}${schemaDetails('Query', endpoint.query, 'input')}
    ${fileParts(endpoint)}${schemaDetails('Body', endpoint.body, 'input')}${schemaDetails('Reply', endpoint.reply, 'output')}`

const permissions = (): Html =>
  html`<table>
    <thead>
      <tr>
        <th>Module</th>
        ${roles.map((role) => html`<th>${roleLabel[role]}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${modules.map(
        (key) =>
          html`<tr>
            <td>${key}</td>
            ${roles.map((role) => html`<td>${permissionTable[key][role]}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`

/** The contract for a person to read, derived from what is served. */
export function docsPage(endpoints: Endpoint[], brandName: string): string {
  const section = (title: string, calls: Endpoint[]) =>
    html`<h2>${title}</h2>
      ${calls.map(callDetails)}`
  return plainPage(
    `${brandName} API`,
    html`<h1>${brandName} API</h1>
      <p>
        Machine-readable: <a href="${API_BASE}/openapi.json">openapi.json</a>. Every call but the public ones carries
        <code>Authorization: Bearer …</code>. Lists answer <code>{ data, page, pageSize, total }</code>, everything else
        <code>{ data }</code>, errors <code>{ error, code, fields?, rows? }</code>.
      </p>
      <h2>Who may do what</h2>
      <p>A user needs the module, and the role decides how far it reaches.</p>
      ${permissions()}
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
