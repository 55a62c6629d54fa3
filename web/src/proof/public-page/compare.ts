/** Shows the two chosen markets of a table that holds all of them. */
export function compareTwo(section: HTMLElement): void {
  const choices = section.querySelector<HTMLElement>('.choices')
  if (!choices) return
  const selects = [...choices.querySelectorAll('select')]
  const show = () => {
    const chosen = new Set(selects.map(({ value }) => Number(value)))
    for (const row of section.querySelectorAll('tr'))
      // The first cell of each row names it.
      for (const [index, cell] of [...row.cells].entries()) cell.hidden = index > 0 && !chosen.has(index - 1)
  }
  choices.hidden = false
  choices.addEventListener('change', show)
  show()
}
