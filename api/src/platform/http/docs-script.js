// The "Try it" forms of the docs page, as the browser runs them. The forms are built from openapi.json when they are
// opened. The key is never stored: it is gone with the page.

const MAX_SHOWN = 100_000

/**
 * @typedef {{ type?: string, format?: string, enum?: unknown[], const?: unknown, default?: unknown, anyOf?: Schema[],
 *   items?: Schema, properties?: Record<string, Schema>, required?: string[] }} Schema
 * @typedef {{ name: string, in: 'path' | 'query', required: boolean, schema: Schema, description?: string }} Parameter
 * @typedef {{ parameters: Parameter[], requestBody?: { content: Record<string, { schema: Schema }> } }} Operation
 * @typedef {{ servers: { url: string }[], paths: Record<string, Record<string, Operation>> }} Contract
 */

/** @type {Promise<Contract> | undefined} */
let loading
const loadContract = () => (loading ??= fetch('openapi.json').then((answer) => answer.json()))

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [properties]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag)
  Object.assign(made, properties)
  made.append(...children)
  return made
}

/** The values to choose from, if a parameter has a closed list of them. @param {Schema} schema @returns {unknown[]} */
const choicesOf = ({ enum: choices, const: only, anyOf = [] }) =>
  choices ?? (only === undefined ? (anyOf.map(choicesOf).find((each) => each.length > 0) ?? []) : [only])

/** A body with every required field, for the reader to fill in. @param {Schema} schema @returns {unknown} */
function exampleOf({ type, enum: choices, const: only, default: usual, anyOf, properties = {}, required = [] }) {
  if (usual !== undefined) return usual
  if (only !== undefined) return only
  if (choices) return choices[0]
  if (anyOf) return exampleOf(anyOf[0] ?? {})
  if (type === 'object') {
    const fields = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field)]))
  }
  if (type === 'array') return []
  if (type === 'number' || type === 'integer') return 0
  return type === 'boolean' ? false : type === 'null' ? null : ''
}

/** @param {string} call @param {Parameter} parameter */
function parameterField(call, { name, required, schema, description }) {
  const id = `${call} ${name}`.replace(/\W+/g, '-')
  const choices = choicesOf(schema)
  const input =
    choices.length > 0
      ? element('select', { id, name, required }, ...['', ...choices].map((each) => new Option(String(each))))
      : element('input', { id, name, required, autocomplete: 'off', spellcheck: false })
  const label = element('label', { htmlFor: id }, name, required ? ' (required)' : '')
  if (!description) return element('p', {}, label, input)
  const hint = element('small', { id: `${id}-hint` }, description)
  input.setAttribute('aria-describedby', hint.id)
  return element('p', {}, label, input, hint)
}

/** @param {string} call @param {Operation} operation */
function bodyFields(call, { requestBody }) {
  if (!requestBody) return []
  const id = `${call} body`.replace(/\W+/g, '-')
  const form = requestBody.content['multipart/form-data']?.schema.properties
  const schema = form?.['data'] ?? requestBody.content['application/json']?.schema ?? {}
  const area = element('textarea', { id, name: 'body', rows: 8, spellcheck: false })
  area.value = JSON.stringify(exampleOf(schema), null, 2)
  const files = Object.keys(form ?? {}).filter((name) => name !== 'data')
  return [
    element('p', {}, element('label', { htmlFor: id }, 'Body (JSON)'), area),
    ...files.map((name) => {
      const fileId = `${id}-${name}`
      const input = element('input', { id: fileId, type: 'file', name, multiple: true })
      return element('p', {}, element('label', { htmlFor: fileId }, `Files: ${name}`), input)
    }),
  ]
}

/** Empty fields are left out; several values of one query parameter are separated by commas. */
const addressOf = (
  /** @type {string} */ path,
  /** @type {Parameter[]} */ parameters,
  /** @type {(name: string) => string} */ valueOf,
) => {
  const query = new URLSearchParams()
  for (const { name, schema } of parameters.filter((each) => each.in === 'query')) {
    const isList = (schema.anyOf ?? [schema]).some(({ type }) => type === 'array')
    const value = valueOf(name)
    for (const each of isList ? value.split(',') : [value]) if (each.trim() !== '') query.append(name, each.trim())
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(valueOf(name)))
  return query.size > 0 ? `${filled}?${query}` : filled
}

/** @param {FormDataEntryValue | null} value */
const typedText = (value) => (typeof value === 'string' ? value : '')

/** @param {HTMLFormElement} form @param {Operation} operation @returns {{ body: BodyInit, type?: string } | undefined} */
function contentOf(form, { requestBody }) {
  if (!requestBody) return undefined
  const body = typedText(new FormData(form).get('body'))
  const files = [...form.querySelectorAll('input')].filter(
    ({ type, files: chosen }) => type === 'file' && chosen?.length,
  )
  if (files.length === 0) return { body, type: 'application/json' }
  const parts = new FormData()
  parts.append('data', body)
  for (const input of files) for (const file of input.files ?? []) parts.append(input.name, file)
  return { body: parts }
}

/** @param {Response} answer @returns {Promise<string>} */
async function textOf(answer) {
  const type = answer.headers.get('content-type') ?? ''
  if (!/json|text|csv|xml|calendar/.test(type)) return `${(await answer.blob()).size} bytes of ${type || 'nothing'}`
  const text = await answer.text()
  const shown = type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length > MAX_SHOWN
    ? `${shown.slice(0, MAX_SHOWN)}\n… ${shown.length - MAX_SHOWN} more characters`
    : shown
}

const keyField = /** @type {HTMLInputElement} */ (document.getElementById('api-key'))

/** @param {string} method @param {string} address @param {{ body: BodyInit, type?: string } | undefined} content */
function send(method, address, content) {
  const key = keyField.value.trim()
  return fetch(address, {
    method,
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(content?.type && { 'content-type': content.type }),
    },
    ...(content && { body: content.body }),
  })
}

/** @param {HTMLDetailsElement} details */
async function buildForm(details) {
  const { call = '' } = details.dataset
  const [method = '', path = ''] = call.split(' ')
  const { servers, paths } = await loadContract()
  const operation = paths[`/${path}`]?.[method.toLowerCase()]
  if (!operation) return
  const status = element('p', { role: 'status' })
  const shown = element('pre', { tabIndex: 0, hidden: true })
  shown.setAttribute('aria-label', 'Answer')
  const button = element('button', { type: 'submit' }, 'Send')
  const warning = method === 'GET' ? [] : [element('p', {}, element('strong', {}, 'This changes real data.'))]
  const fields = operation.parameters.map((/** @type {Parameter} */ each) => parameterField(call, each))
  const form = element('form', {}, ...fields, ...bodyFields(call, operation), ...warning, button, status, shown)
  const submit = async () => {
    const filled = new FormData(form)
    const valueOf = (/** @type {string} */ name) => typedText(filled.get(name))
    const address = `${servers[0]?.url ?? ''}${addressOf(`/${path}`, operation.parameters, valueOf)}`
    button.disabled = true
    status.textContent = 'Sending …'
    try {
      const since = performance.now()
      const answer = await send(method, address, contentOf(form, operation))
      shown.textContent = await textOf(answer)
      status.textContent = `${answer.status} in ${Math.round(performance.now() - since)} ms: ${method} ${address}`
    } catch {
      shown.textContent = ''
      status.textContent = 'The server could not be reached. Please try again.'
    }
    shown.hidden = shown.textContent === ''
    button.disabled = false
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  details.append(form)
}

for (const details of document.querySelectorAll('details')) {
  if (!details.dataset['call']) continue
  details.hidden = false
  details.addEventListener('toggle', () => {
    if (details.open && !details.querySelector('form')) void buildForm(details)
  })
}
const keySection = document.getElementById('try-it')
if (keySection) keySection.hidden = false
