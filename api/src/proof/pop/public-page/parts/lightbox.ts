import { html, type Html } from '../../../../platform/http/html.ts'

/** Empty until a photo is opened. */
export const lightbox = (): Html =>
  html`<dialog class="lightbox" aria-label="Photos">
    <p class="place figures" aria-live="polite"></p>
    <button type="button" class="close">Close</button
    ><button type="button" class="previous" aria-label="Previous photo">‹</button>
    <figure>
      <img alt="" />
      <figcaption></figcaption>
    </figure>
    <button type="button" class="next" aria-label="Next photo">›</button>
  </dialog>`
