import type { Language } from '@roadshow/contract'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Escapes text for HTML, including quoted attributes: the only function that does. */
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

/** HTML whose values are escaped already. Only the functions of this file create it. */
class Html {
  constructor(readonly text: string) {}
}

export type { Html }

type Written = string | number | Html | null | undefined | false | readonly Written[]

function written(value: Written): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(written).join('')
  return escapeHtml(String(value))
}

/** A template whose values are escaped, unless they are HTML themselves. Its lines are broken for us, not for browsers. */
export const html = (texts: TemplateStringsArray, ...values: Written[]): Html =>
  new Html(texts.map((text, index) => text.replace(/\n\s*/g, ' ') + written(values[index])).join(''))

const STYLE = `
  :root { color-scheme: light dark }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 960px; margin: 48px auto; padding: 0 16px }
  h1 { font-size: 28px } h2 { font-size: 20px; margin: 40px 0 8px } h3 { font-size: 16px; margin: 24px 0 4px }
  code, pre { font: 13px/1.5 ui-monospace, monospace } pre { overflow: auto; padding: 12px; border: 1px solid #8886; border-radius: 6px }
  small { opacity: .75 } summary { cursor: pointer } a { color: inherit }`

/** A page that stands alone: no other file, and no script unless one is in `head`. */
export const plainPage = (
  title: string,
  body: Html,
  { head = new Html(''), language = 'en' }: { head?: Html; language?: Language } = {},
): string =>
  `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
  `<title>${escapeHtml(title)}</title><style>${STYLE}</style>${head.text}</head><body><main>${body.text}</main></body></html>`

/** Replaces placeholders of a built page by values, which are escaped unless they are HTML themselves. */
export const fillPlaceholders = (page: string, values: Record<string, string | Html>): string =>
  Object.entries(values).reduce(
    (text, [placeholder, value]) => text.replaceAll(placeholder, () => written(value)),
    page,
  )
