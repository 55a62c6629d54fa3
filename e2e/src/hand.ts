import type { Locator, Page } from '@playwright/test'
import { narrowedTo } from './world.ts'

/** A person finds what to click, and types with two fingers. */
const CLICK_SECONDS = 3
const CHARACTER_SECONDS = 0.3

/** Everything that a hand does on a page, counted. What it types are names and values: they take time and are no clicks. */
export function handOn(page: Page) {
  let count = 0
  let characters = 0
  const begun = performance.now()
  const click = async (target: Locator) => {
    count++
    await target.click()
  }
  const press = async (key: string) => {
    count++
    await page.keyboard.press(key)
  }
  const type = (text: string) => {
    characters += text.length
    return page.keyboard.type(text)
  }
  return {
    count: () => count,
    /** How long a person takes for what was done so far: the hand, and every wait, which is as long as the journey. */
    personSeconds: () => count * CLICK_SECONDS + characters * CHARACTER_SECONDS + (performance.now() - begun) / 1000,
    characters: () => characters,
    click,
    press,
    type,
    /** A day in a field: into it, the day, Enter. */
    day: async (field: Locator, day: string) => {
      await click(field)
      await type(day)
      await press('Enter')
    },
    /** The times of a shift: into the first, both typed with Tab after each; Enter would save the form. */
    times: async (first: Locator, ...times: string[]) => {
      await click(first)
      for (const time of times) {
        await type(time)
        await press('Tab')
      }
    },
    /** One of many: into the field, a part of the name, the option. */
    choose: async (form: Locator, label: string, name: string) => {
      await click(form.getByLabel(label, { exact: true }).last())
      await type(name)
      await click(await narrowedTo(page, name))
    },
    /** A file: the button, and the choice in the dialog of the computer. */
    file: async (input: Locator, file: { name: string; mimeType: string; buffer: Buffer }) => {
      count += 2
      await input.setInputFiles(file)
    },
  }
}
