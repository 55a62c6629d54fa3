import type { Locator } from '@playwright/test'

/** Counts what a person does to get a job done: each click, and each field that is typed into. */
export function counted() {
  let count = 0
  return {
    click: (what: Locator, options?: Parameters<Locator['click']>[0]) => {
      count += 1
      return what.click(options)
    },
    type: async (field: Locator, text: string) => {
      count += 1
      await field.fill(text)
      await field.press('Tab')
    },
    count: () => count,
  }
}
