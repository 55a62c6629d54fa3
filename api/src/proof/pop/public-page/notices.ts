import { fillPlaceholders, html, type Html } from '../../../platform/http/html.ts'
import { preparedPage, type PreparedPage } from '../../../platform/http/pages.ts'
import { BODY, HEAD } from './page.ts'

/** What a notice shows of the company. */
export interface Company {
  shell: string
  brand: string
  /** Whom visitors ask. */
  contactEmail: string | undefined
}

function noticePage({ shell, brand }: Company, title: string, text: Html): string {
  const head = html`<title>${title} · ${brand}</title><meta name="robots" content="noindex" />`
  const body = html`<header class="hero notice-head">
      <p class="masthead"><b>${brand}</b> <span>Proof of play</span></p>
    </header>
    <main class="notice">
      <h1>${title}</h1>
      ${text}
    </main>`
  return fillPlaceholders(shell, { [HEAD]: head, [BODY]: body })
}

const askFor = (contactEmail: string | undefined): Html =>
  contactEmail
    ? html`<p>Questions? Write to <a href="mailto:${contactEmail}">${contactEmail}</a>.</p>`
    : html`<p>Questions? Ask the person who sent you the link.</p>`

/** The answer for every address without a public page, withdrawn ones included: it must not tell which names exist. */
export const missingPage = (company: Company): PreparedPage => ({
  ...preparedPage(
    noticePage(
      company,
      'This page is not available',
      html`<p>The address may be misspelled, or the page was withdrawn.</p>
        ${askFor(company.contactEmail)}`,
    ),
  ),
  status: 404,
})

/** Asks for the password of a page. It names neither the program nor its client. */
export const passwordPage = (company: Company, problem?: string): string =>
  noticePage(
    company,
    'Enter the password',
    html`<p>This page is protected. You got the password with the link.</p>
      <form method="post" class="password">
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="off"
          required
          maxlength="100"
          autofocus
          ${problem !== undefined && html`aria-invalid="true" aria-describedby="problem"`}
        />
        ${problem !== undefined && html`<p id="problem" class="problem" role="alert">${problem}</p>`}
        <button type="submit">Open</button>
      </form>
      ${askFor(company.contactEmail)}`,
  )
