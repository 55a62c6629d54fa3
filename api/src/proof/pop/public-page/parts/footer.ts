import { html, type Html } from '../../../../platform/http/html.ts'
import type { PopOpening } from '../../publication/opening.ts'
import { METHOD_TITLE, methodOf, originText } from '../../publication/words.ts'

interface Shown {
  /** Undefined in a preview. */
  sha256: string | undefined
  pageUrl: string
  documentUrl: string
  pdfUrl: string
  /** The address of a version of the method for impressions. */
  methodUrl: (version: number) => string
}

export const footer = (document: PopOpening, { sha256, pageUrl, documentUrl, pdfUrl, methodUrl }: Shown): Html =>
  html`<footer>
    <section aria-labelledby="method">
      <h2 id="method">${METHOD_TITLE}</h2>
      <dl>
        ${methodOf(document).map(
          ({ term, text }) =>
            html`<dt>${term}</dt>
              <dd>${text}</dd>`,
        )}
      </dl>
    </section>
    ${
      sha256 === undefined
        ? html`<p class="version">Not published yet. This is what would be published now.</p>`
        : html`<section class="version" aria-labelledby="version">
            <h2 id="version">Version ${document.version}</h2>
            <p>${originText(document)}</p>
            <p class="hash"><span>SHA-256</span> <code>${sha256}</code></p>
            <p class="address">${pageUrl}</p>
            <p class="files">
              <a href="${pdfUrl}">Download PDF</a>
              <a href="${documentUrl}">Document (JSON)</a>${document.impressions?.methods.map(
                ({ version }) => html` <a href="${methodUrl(version)}">Impressions method ${version} (JSON)</a>`,
              )}
            </p>
          </section>`
    }
  </footer>`
