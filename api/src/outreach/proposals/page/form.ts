import { formatDay, type ProposalDocument } from '@roadshow/contract'
import { html, type Html } from '../../../platform/http/html.ts'
import type { TypedAcceptance } from '../accept.ts'

/** What the form shows: what was typed, and what is wrong with it. */
export interface FormState extends TypedAcceptance {
  problem?: string
  field?: 'name' | 'note' | 'confirm' | undefined
}

interface Offered {
  document: ProposalDocument
  sha256: string
}

/** Asks for a name and one confirmation. The token in the address is the right to accept, so it needs no other. */
export function acceptForm({ document, sha256 }: Offered, { name, note, problem, field }: FormState): Html {
  const said = (which: FormState['field']) =>
    problem !== undefined &&
    field === which &&
    html`<p id="problem-${which ?? 'all'}" class="problem" role="alert">${problem}</p>`
  const marked = (which: FormState['field']) =>
    problem !== undefined &&
    field === which &&
    html`aria-invalid="true" aria-describedby="problem-${which ?? 'all'}" autofocus`
  return html`<section class="chapter" id="accept" aria-labelledby="accept-title">
    <h2 id="accept-title">Accept this proposal</h2>
    <form method="post" class="accept" action="#accept">
      ${said(undefined)}
      <input type="hidden" name="sha256" value="${sha256}" />
      <label for="name">Your name</label>
      <input id="name" name="name" autocomplete="name" required maxlength="120" value="${name}" ${marked('name')} />
      ${said('name')}
      <label for="note">Note (optional)</label>
      <textarea id="note" name="note" rows="3" maxlength="1000" ${marked('note')}>${note}</textarea>
      ${said('note')}
      <label class="confirm">
        <input type="checkbox" name="confirm" value="yes" required ${marked('confirm')} />
        <span>I accept “${document.title}” for ${document.client}.</span>
      </label>
      ${said('confirm')}
      <button type="submit">Accept proposal</button>
      <p class="soft">
        ${document.brand} records your name and the time. You can accept through ${formatDay(document.validUntil)}.
      </p>
    </form>
  </section>`
}
