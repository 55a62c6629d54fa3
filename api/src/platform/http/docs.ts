import { readFileSync } from 'node:fs'
import {
  API_BASE,
  DATA_PART,
  type Endpoint,
  permissionTable,
  modules,
  roleLabel,
  roles,
  takesKeys,
} from '@roadshow/contract'
import type { z } from 'zod'
import { type Html, html, plainPage } from './html.ts'
import { accessText, schemaOf } from './openapi.ts'

function schemaDetails(name: string, schema: z.ZodType | undefined, io: 'input' | 'output'): Html | undefined {
  if (!schema) return undefined
  return html`<details>
    <summary>${name}</summary>
    <pre tabindex="0">${JSON.stringify(schemaOf(schema, io), null, 2)}</pre>
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
    ${fileParts(endpoint)}${schemaDetails('Body', endpoint.body, 'input')}${schemaDetails('Reply', endpoint.reply, 'output')}
    ${tryIt(endpoint)}`

/** The script shows what it can fill; without it nothing is promised. */
const tryIt = (endpoint: Endpoint): Html | undefined => {
  if (endpoint.access !== 'public' && !takesKeys(endpoint)) return undefined
  return html`<details hidden data-call="${endpoint.method} ${endpoint.path}">
    <summary>Try it</summary>
  </details>`
}

const keySection = html`<section id="try-it" hidden>
  <h2>Try it</h2>
  <p>
    <label for="api-key">API key</label>
    <input id="api-key" type="password" autocomplete="off" spellcheck="false" aria-describedby="api-key-hint" />
    <small id="api-key-hint">
      Kept in this page only, and gone when you leave it. An admin creates keys under System → API keys.
    </small>
  </p>
</section>`

const STYLE = html`<style>
  label {
    display: block;
    font-weight: 600;
  }
  input,
  select,
  textarea,
  button {
    font: inherit;
    min-height: 44px;
    padding: 8px 12px;
    border: 1px solid #767c88;
    border-radius: 6px;
  }
  input,
  select,
  textarea {
    box-sizing: border-box;
    width: 100%;
    max-width: 480px;
  }
  textarea {
    max-width: 100%;
    font:
      13px/1.5 ui-monospace,
      monospace;
  }
  small {
    display: block;
  }
  p > small {
    display: inline;
  }
  summary {
    padding: 10px 0;
  }
  h3 code {
    overflow-wrap: anywhere;
  }
  :focus-visible {
    outline: 3px solid #b86e00;
    outline-offset: 2px;
  }
  pre {
    max-height: 480px;
  }
  .wide {
    overflow: auto;
  }
</style>`

/** The script of the page, for a route of its own: the content policy allows no script inside a page. */
export const docsScript = readFileSync(new URL('./docs-script.js', import.meta.url), 'utf8')
export const DOCS_SCRIPT = `${API_BASE}/docs.js`

const permissions = (): Html =>
  html`<div class="wide" tabindex="0" role="region" aria-label="Permissions">
    <table>
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
    </table>
  </div>`

/** The contract for a person to read, derived from what is served. */
export function docsPage(endpoints: Endpoint[], brandName: string): string {
  const section = (title: string, isAdded: boolean) =>
    html`<h2>${title}</h2>
      ${endpoints.filter(({ added }) => Boolean(added) === isAdded).map(callDetails)}`
  return plainPage(
    `${brandName} API`,
    html`<h1>${brandName} API</h1>
      <p>
        Machine-readable: <a href="${API_BASE}/openapi.json">openapi.json</a>. Every call but the public ones carries
        <code>Authorization: Bearer …</code> with the token of a signed-in user or an API key. Lists answer
        <code>{ data, page, pageSize, total }</code>, everything else <code>{ data }</code>, errors
        <code>{ error, code, fields?, rows? }</code>.
      </p>
      ${keySection}
      <h2>Who may do what</h2>
      <p>
        A user needs the module, and the role decides how far it reaches. An API key reaches what an admin with its
        modules reaches, and one for a single client what a user of that client does; calls about a person, access and
        approvals are for people.
      </p>
      ${permissions()} ${section('Calls of the specification', false)} ${section('Added calls', true)}`,
    {
      head: html`${STYLE}
        <script type="module" src="${DOCS_SCRIPT}"></script>`,
    },
  )
}
