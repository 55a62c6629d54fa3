import { type ProposalDocument, type ProposalAcceptance } from '@roadshow/contract'
import { fillPlaceholders, html, type Html } from '../../../platform/http/html.ts'
import { paragraphs, routeDrawing } from '../../../proof/pop/index.ts'
import {
  acceptanceText,
  ARTWORK_TITLE,
  ESTIMATE_TITLE,
  estimateMethod,
  estimateTexts,
  lineCells,
  lineColumns,
  LINES_TITLE,
  PLACES_TITLE,
  placesCount,
  totalText,
  validText,
  programFacts,
} from '../words.ts'
import { acceptForm, type FormState } from './form.ts'
import { dressedTrucks, type ProposalPictureUrl } from './truck.ts'

// Placeholders in web/proposal.html.
const HEAD = '<!--PROPOSAL_HEAD-->'
const BODY = '<!--PROPOSAL_BODY-->'

export interface ProposalCompany {
  /** The built web/proposal.html, which links style sheet and script. */
  shell: string
  brand: string
  /** Whom to ask. */
  contactEmail: string | undefined
}

export interface ProposalPageOptions extends ProposalCompany {
  document: ProposalDocument
  sha256: string
  acceptance: ProposalAcceptance | null
  pictureUrl: ProposalPictureUrl
  /** Where the PDF is; undefined where the page is only looked at. */
  pdfUrl: string | undefined
  /** What the form holds; undefined where the page is only looked at. */
  form: FormState | undefined
}

const filled = (shell: string, title: string, body: Html): string =>
  fillPlaceholders(shell, {
    [HEAD]: html`<title>${title}</title><meta name="robots" content="noindex" />`,
    [BODY]: body,
  })

/** The page of a proposal. It works without a script, the acceptance included. */
export const proposalPage = (options: ProposalPageOptions): string => {
  const { shell, document } = options
  return filled(shell, `${document.title} · ${document.brand}`, body(options))
}

/** The page of a proposal that leads nowhere: unknown, revoked or expired. */
export const closedProposalPage = ({ shell, brand, contactEmail }: ProposalCompany, sentence: string): string =>
  filled(
    shell,
    `Proposal not available · ${brand}`,
    html`<main class="hero ended-page">
      <p class="masthead"><b>${brand}</b> <span>Proposal</span></p>
      <div class="panel">
        <h1>${sentence}</h1>
        <p class="when">
          ${
            contactEmail
              ? html`Ask ${brand} for a new one: <a href="mailto:${contactEmail}">${contactEmail}</a>`
              : `Ask your contact at ${brand} for a new one.`
          }
        </p>
      </div>
    </main>`,
  )

function body(options: ProposalPageOptions): Html {
  const { document, pictureUrl, acceptance, form } = options
  return html`${hero(options)}
    <main>
      ${introduction(document)}${lines(document)}${artwork(document, pictureUrl)}${places(document)}${estimate(document)}
      ${!acceptance && form && acceptForm(options, form)}
    </main>
    ${footer(options)}`
}

function hero({ document, acceptance, pdfUrl, form }: ProposalPageOptions): Html {
  const { brand, client, title } = document
  const [first, ...facts] = programFacts(document)
  return html`<header class="hero">
    <p class="masthead"><b>${brand}</b> <span>Proposal</span></p>
    <div class="panel">
      <p class="client">For ${client}</p>
      <h1>${title}</h1>
      <p class="when">${first}${facts.map((fact) => html`<span>${fact}</span>`)}</p>
      ${
        acceptance
          ? html`<p class="accepted" role="status">${acceptanceText(acceptance, document)}</p>`
          : html`<p class="so-far">${validText(document)}</p>`
      }
      <p class="acts">
        ${!acceptance && form && html`<a class="button" href="#accept">Accept</a>`}
        ${pdfUrl !== undefined && html`<a href="${pdfUrl}">Download PDF</a>`}
      </p>
    </div>
  </header>`
}

const section = (id: string, title: string, ...parts: (Html | Html[] | false | undefined)[]): Html =>
  html`<section class="chapter" id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    ${parts}
  </section>`

const introduction = ({ introduction: text }: ProposalDocument): Html | false =>
  text !== '' && html`<section class="lead"><div class="text">${paragraphs(text)}</div></section>`

function lines(document: ProposalDocument): Html {
  const total = totalText(document)
  const columns = lineColumns(document)
  return section(
    'lines',
    LINES_TITLE,
    html`<div class="offer">
      <table class="figures">
        <thead>
          <tr>
            ${columns.map((title) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${document.lines.map((line) => {
            const [market, ...cells] = lineCells(line, document)
            return html`<tr>
              <th scope="row">${market}</th>
              ${cells.map((cell, index) => html`<td data-label="${columns[index + 1]}">${cell}</td>`)}
            </tr>`
          })}
        </tbody>
      </table>
      ${total !== undefined && html`<p class="total figures"><span>Total</span> <b>${total}</b></p>`}
    </div>`,
  )
}

const artwork = ({ artwork: sets }: ProposalDocument, pictureUrl: ProposalPictureUrl): Html | false =>
  sets.length > 0 &&
  section(
    'artwork',
    ARTWORK_TITLE,
    sets.map(
      (set) =>
        html`<h3>${set.name}</h3>
          <div class="trucks">${dressedTrucks(set, pictureUrl)}</div>`,
    ),
  )

function places({ places: groups }: ProposalDocument): Html | false {
  if (groups.length === 0) return false
  const drawings = groups.map((group) => {
    const spots = group.places.map(({ latitude, longitude }) => [latitude, longitude] as const)
    const words = { label: `Places in ${group.market}`, caption: placesCount(group) }
    return html`<div>
      <h3>${group.market}</h3>
      ${routeDrawing({ name: group.market, routes: [], trucks: spots, words })}
      <details>
        <summary>Addresses</summary>
        <ul class="places">
          ${group.places.map(({ label, address }) => html`<li><b>${label}</b> ${address}</li>`)}
        </ul>
      </details>
    </div>`
  })
  return section('places', PLACES_TITLE, html`<div class="where">${drawings}</div>`)
}

function estimate({ estimate: found }: ProposalDocument): Html | false {
  if (!found) return false
  return section(
    'estimate',
    ESTIMATE_TITLE,
    html`<dl class="estimates figures">
      ${found.markets.map((market) => {
        const { likely, note } = estimateTexts(market)
        return html`<div>
          <dt>${market.market}</dt>
          <dd>${likely !== '' && html`<b>${likely}</b> `}<span>${note}</span></dd>
        </div>`
      })}
    </dl>`,
    html`<p class="soft method">${estimateMethod(found)}</p>`,
  )
}

const footer = ({ document, sha256, acceptance }: ProposalPageOptions): Html =>
  html`<footer>
    <section aria-labelledby="record">
      <h2 id="record">${acceptance ? 'Acceptance' : 'About this proposal'}</h2>
      ${
        acceptance &&
        html`<p>${acceptanceText(acceptance, document)}</p>
          ${acceptance.note !== '' && html`<div class="text">${paragraphs(acceptance.note)}</div>`}
          <p>This is a record of the name and the time, not a signature.</p>`
      }
      <p>${validText(document)}</p>
    </section>
    <section class="version">
      <p>
        Proposal ${document.number} of ${document.brand} for ${document.client}. It does not change after it was sent.
      </p>
      ${sha256 !== '' && html`<p class="hash">SHA-256 <code>${sha256}</code></p>`}
    </section>
  </footer>`
