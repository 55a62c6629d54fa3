import { html, type Html } from '../../../../platform/http/html.ts'

interface PageColumn<Row> {
  title: string
  cell: (row: Row) => string
}

/** A table of figures that scrolls within the page where it is too wide or too long; its first column names each row. */
export function figuresTable<Row>(label: string, columns: readonly PageColumn<Row>[], rows: readonly Row[]): Html {
  const [head, ...rest] = columns
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
    <table class="figures">
      <thead>
        <tr>
          ${columns.map(({ title }) => (title ? html`<th scope="col">${title}</th>` : html`<td></td>`))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              <th scope="row">${head?.cell(row)}</th>
              ${rest.map(({ cell }) => html`<td>${cell(row)}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
