import { html, type Html } from '../../../../platform/http/html.ts'
import type { PopOpening } from '../../publication/opening.ts'
import { formatInstant } from '../../publication/words.ts'

interface Shown {
  /** Undefined for what is not published. */
  sha256: string | undefined
  pageUrl: string
  documentUrl: string
  pdfUrl: string
}

export const footer = (document: PopOpening, { sha256, pageUrl, documentUrl, pdfUrl }: Shown): Html =>
  html`<footer>
    <section aria-labelledby="method">
      <h2 id="method">How these numbers are made</h2>
      <dl>
        <dt>Miles</dt>
        <dd>
          From positions that each truck’s own tracker reported during its shifts. Jumps and the drift of a parked truck
          are filtered out (method ${document.milesAlgorithm}).
        </dd>
        <dt>Hours</dt>
        <dd>From the start to the stop of each shift that took place.</dd>
        <dt>Plays</dt>
        <dd>
          As the player on the truck logged them, one by one. A play is verified when the tracker, which the player
          cannot write to, puts the truck on its shift and in its market at that second.
        </dd>
        <dt>Photos</dt>
        <dd>
          Verified when the time and place that the camera recorded agree with the truck’s track; unverified when there
          is nothing to compare; in conflict when they contradict each other.
        </dd>
        <dt>Routes</dt>
        <dd>The same positions, without the ends near depots.</dd>
      </dl>
    </section>
    ${
      sha256 === undefined
        ? html`<p class="version">Not published. What you see is what would be published now.</p>`
        : html`<section class="version" aria-labelledby="version">
            <h2 id="version">Version ${document.version}</h2>
            <p>
              Published ${formatInstant(document.publishedAt)} by ${document.brand}. Its text, photos and numbers are
              frozen: later corrections make a new version. The fingerprint is of the document that holds them all.
            </p>
            <p class="hash"><span>SHA-256</span> <code>${sha256}</code></p>
            <p class="address">${pageUrl}</p>
            <p class="files"><a href="${pdfUrl}">Download the PDF</a> <a href="${documentUrl}">Document (JSON)</a></p>
          </section>`
    }
  </footer>`
