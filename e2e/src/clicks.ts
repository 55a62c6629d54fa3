import type { Locator, Page } from '@playwright/test'

/** Counts what a person does to get a job done: each click, each field that is typed into, and each key beside these. */
export function counted() {
  let count = 0
  return {
    click: (what: Locator, options?: Parameters<Locator['click']>[0]) => {
      count += 1
      return what.click(options)
    },
    /** The key that ends it belongs to the field. */
    type: async (field: Locator, text: string, end = 'Tab') => {
      count += 1
      await field.fill(text)
      await field.press(end)
    },
    /** A key that opens or closes something. */
    press: (page: Page, key: string) => {
      count += 1
      return page.keyboard.press(key)
    },
    count: () => count,
  }
}
