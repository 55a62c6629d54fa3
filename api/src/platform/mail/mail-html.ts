import { html, type Html } from '../http/html.ts'
import type { CleanWords, MailItem, MailLink } from './mail-words.ts'

/** The look's colors, [light, dark]. Mail programs know no custom properties, so they stand here as in the table of the web. */
export const mailColors = {
  ink: ['#121826', '#E8ECF3'],
  'ink-soft': ['#556074', '#A3AEBF'],
  paper: ['#FFFFFF', '#151A23'],
  page: ['#F5F6F8', '#0E121A'],
  line: ['#DCE0E7', '#2A3241'],
  asphalt: ['#161D2B', '#0A0E15'],
  'on-asphalt': ['#E8ECF3', '#E8ECF3'],
  amber: ['#A05F00', '#FFB224'],
  headlight: ['#FFB224', '#FFB224'],
  'on-headlight': ['#121826', '#121826'],
} as const

type MailColor = keyof typeof mailColors

let line: string = mailColors.headlight[0]

/** Gives the line under the brand the company's color, or the look's own. */
export function setMailLine(color: string | undefined): void {
  line = color ?? mailColors.headlight[0]
}

const light = (name: MailColor) => mailColors[name][0]
const dark = (name: MailColor) => mailColors[name][1]

const FONT = "font-family:Inter,system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

/** Colors are inline, because some programs drop style elements; where they don't, these follow the reader's dark mode. */
const STYLE = `
  :root { color-scheme: light dark; supported-color-schemes: light dark }
  body { margin: 0; padding: 0; -webkit-text-size-adjust: 100% }
  table { border-collapse: separate; border-spacing: 0 }
  @media (prefers-color-scheme: dark) {
    .page { background-color: ${dark('page')} !important }
    .paper { background-color: ${dark('paper')} !important; border-color: ${dark('line')} !important }
    .asphalt { background-color: ${dark('asphalt')} !important; border-color: ${dark('line')} !important }
    .ink { color: ${dark('ink')} !important }
    .soft { color: ${dark('ink-soft')} !important }
    .link { color: ${dark('amber')} !important }
    .row { border-color: ${dark('line')} !important }
  }
  @media (max-width: 480px) {
    .outer { padding: 0 !important }
    .inner { padding-left: 20px !important; padding-right: 20px !important }
    .edge { border-left: 0 !important; border-right: 0 !important; border-radius: 0 !important }
    .button { width: 100% !important }
    .button a { display: block !important; text-align: center !important }
  }`
  .replace(/\s*\n\s*/g, ' ')
  .trim()

const style = (...rules: string[]) => [FONT, ...rules].join(';')

const paragraph = (text: string): Html =>
  html`<p
    class="ink"
    style="${style(`margin:0 0 16px;font-size:16px;line-height:24px;color:${light('ink')};overflow-wrap:anywhere`)}"
  >
    ${text}
  </p>`

const row = (content: Html, padding: string): Html =>
  html`<tr>
    <td class="inner" style="padding:${padding}">${content}</td>
  </tr>`

/** A table that places what it holds: mail programs know no other layout. */
const layout = (css: string, rows: Html | readonly Html[]): Html =>
  html`<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${css}">
    ${rows}
  </table>`

const LIST = 'margin:0 0 24px;table-layout:fixed'
const lineAbove = (index: number) => (index === 0 ? '' : `border-top:1px solid ${light('line')};`)

const factRow = ([label, value]: readonly [string, string], index: number): Html => {
  const line = lineAbove(index)
  return html`<tr>
    <td
      class="soft row"
      width="38%"
      valign="top"
      style="${style(`${line}padding:10px 12px 10px 0;font-size:14px;line-height:20px;color:${light('ink-soft')};overflow-wrap:anywhere`)}"
    >
      ${label}
    </td>
    <td
      class="ink row"
      valign="top"
      style="${style(`${line}padding:10px 0;font-size:14px;line-height:20px;font-weight:600;font-variant-numeric:tabular-nums;color:${light('ink')};overflow-wrap:anywhere`)}"
    >
      ${value}
    </td>
  </tr>`
}

const linkStyle = style(`color:${light('amber')};font-weight:600;text-decoration:underline;overflow-wrap:anywhere`)

const itemRow = ({ title, detail, url }: MailItem, index: number): Html => {
  const name = url
    ? html`<a class="link" href="${url}" style="${linkStyle}">${title}</a>`
    : html`<strong>${title}</strong>`
  return html`<tr>
    <td
      class="ink row"
      style="${style(`${lineAbove(index)}padding:12px 0;font-size:16px;line-height:24px;color:${light('ink')};overflow-wrap:anywhere`)}"
    >
      ${name}
      ${detail && html`<br /><span class="soft" style="${style(`font-size:14px;line-height:20px;color:${light('ink-soft')}`)}">${detail}</span>`}
    </td>
  </tr>`
}

/** A cell of 44 px that is a link: also programs that ignore padding of links show a button. */
const button = ({ label, url }: MailLink): Html =>
  html`<table role="presentation" class="button" cellpadding="0" cellspacing="0" style="margin:8px 0 24px">
    <tr>
      <td
        class="button"
        align="center"
        height="44"
        bgcolor="${light('headlight')}"
        style="background-color:${light('headlight')};border-radius:6px;mso-padding-alt:0 24px"
      >
        <a
          href="${url}"
          style="${style(`display:inline-block;padding:10px 24px;font-size:16px;line-height:24px;font-weight:600;color:${light('on-headlight')};text-decoration:none;border-radius:6px`)}"
          >${label}</a
        >
      </td>
    </tr>
  </table>`

const secondLink = ({ label, url }: MailLink): Html =>
  html`<p style="margin:0 0 16px;font-size:16px;line-height:24px">
    <a class="link" href="${url}" style="${linkStyle}">${label}</a>
  </p>`

const smallPrint = ({ footer, unsubscribe, unsubscribeLabel }: CleanWords): Html =>
  html`<p
    class="soft"
    style="${style(`margin:0;font-size:12px;line-height:18px;color:${light('ink-soft')};overflow-wrap:anywhere`)}"
  >
    ${footer}
    ${unsubscribe && html`<br /><a class="soft" href="${unsubscribe.url}" style="color:${light('ink-soft')};text-decoration:underline">${unsubscribeLabel}</a>`}
  </p>`

const body = (words: CleanWords): Html => {
  const { greeting, paragraphs, facts, items, action, second, closing } = words
  return html`${paragraph(greeting)}${paragraphs.map(paragraph)} ${facts.length > 0 && layout(LIST, facts.map(factRow))}
  ${items.length > 0 && layout(LIST, items.map(itemRow))} ${action && button(action)} ${second && secondLink(second)}
  ${closing.map(paragraph)}`
}

/** The brand, a line in the color of headlights, the words on paper, and the small print below it. */
const sheetRows = (words: CleanWords): Html =>
  html`<tr>
      <td
        class="asphalt edge inner"
        bgcolor="${light('asphalt')}"
        style="${style(`padding:18px 32px;background-color:${light('asphalt')};border:1px solid ${light('asphalt')};border-bottom:0;border-radius:6px 6px 0 0;font-size:20px;line-height:28px;font-weight:700;color:${light('on-asphalt')}`)}"
      >
        ${words.brand}
      </td>
    </tr>
    <tr>
      <td height="4" bgcolor="${line}" style="height:4px;font-size:0;line-height:4px;background-color:${line}">
        &nbsp;
      </td>
    </tr>
    <tr>
      <td
        class="paper edge"
        bgcolor="${light('paper')}"
        style="background-color:${light('paper')};border:1px solid ${light('line')};border-top:0;border-radius:0 0 6px 6px"
      >
        ${layout('table-layout:fixed', row(body(words), '32px 32px 16px'))}
      </td>
    </tr>
    ${row(smallPrint(words), '20px 32px 24px')}`

/** Keeps programs from showing the rest of the mail behind the preview. */
const FILLER = '\u034F\u200C\u00A0'.repeat(40)

const PREHEADER = 'display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px'

/** The mail as most programs show it: one column of at most 600 px, in tables, without pictures from elsewhere. */
export const htmlOf = (words: CleanWords): string => {
  const { subject, preview, language } = words
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no, date=no, address=no, email=no" />
        <title>${subject}</title>
        <style>
          ${STYLE}
        </style>
      </head>
      <body class="page" style="margin:0;padding:0;background-color:${light('page')}">
        <div style="${PREHEADER}">${preview}${FILLER}</div>
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          bgcolor="${light('page')}"
          style="background-color:${light('page')}"
        >
          <tr>
            <td class="outer" align="center" style="padding:32px 12px">
              ${layout('max-width:600px;table-layout:fixed', sheetRows(words))}
            </td>
          </tr>
        </table>
      </body>
    </html>`
  return page.text
}
