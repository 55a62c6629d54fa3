/** Text as people read it, which no rule is about: timestamps, durations with seconds, and times with half or range. */
const STAMP = /(?<![\w/.-])\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(?![\w:])/g
const HALF = String.raw`[   ](?:[AP]M|[ap]\.[   ]m\.)`
const CLOCK = String.raw`(?:1[0-2]|[1-9]):[0-5]\d`
const CLOCKS = new RegExp(String.raw`(?<![\d:])(?:${CLOCK}(?:${HALF})?–)?${CLOCK}${HALF}(?!\w)`, 'g')
const PLAY_TIME = /(?<![\d:])[\d,]+:[0-5]\d:[0-5]\d(?![\d:])/g

const MONTHS =
  '(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)'

/** Each way to write a day, a time or a figure that is not the way of this console. */
const foreign: readonly [name: string, pattern: RegExp][] = [
  ['an instant of a machine', /\d{4}-\d{2}-\d{2}T(?:\d{2}:\d{2}|◆)\S*/g],
  ['a day of a machine', /(?<![\w/.-])\d{4}-\d{2}-\d{2}(?![\w/-]|\.\w)/g],
  ['a day with slashes', /(?<![\w/.-])\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})(?![\w/])/g],
  [
    'a day before its month',
    new RegExp(String.raw`(?<![\w.,-])\d{1,2}(?:st|nd|rd|th)? ${MONTHS}\b(?! \d{1,2}\b(?!\d))`, 'g'),
  ],
  [
    'a month in full',
    /\b(?:January|February|March|April|June|July|August|September|October|November|December) \d{1,2}\b(?!:)/g,
  ],
  ['a year without its comma', new RegExp(String.raw`\b${MONTHS} \d{1,2} \d{4}\b`, 'g')],
  ['a weekday in full', new RegExp(String.raw`\b(?:Sun|Mon|Tues|Wednes|Thurs|Fri|Satur)day,? ${MONTHS} \d`, 'g')],
  ['a time without AM or PM', /(?<![\w:.[])(?:[01]?\d|2[0-3]):[0-5]\d(?![\w:.])/g],
  ['an amount without its cents', /\$[\d,]+(?:\.\d+)?/g],
  ['miles with other digits', /(?<![\w.,-])[\d,]+(?:\.\d+)? (?:mi|miles)\b/g],
  ['a phone number', /(?<![\w(.-])(?:\+?1[ .-]?)?\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g],
]

const DOLLARS = /^\$(?:\d{1,3}|\d{1,3}(?:,\d{3})+)\.\d{2}$/
const PHONE = /^\(\d{3}\) \d{3}-\d{4}$/
// A radius below 10 miles keeps the hundredths that were typed.
const MILES = /^(?:\d\.\d{2}|\d{1,2}(?:\.\d)?|\d{3}|\d{1,3}(?:,\d{3})+) (?:mi|miles)$/
const isOurs = (found: string) => DOLLARS.test(found) || PHONE.test(found) || MILES.test(found)

/**
 * The dates, times, amounts, miles and phone numbers of a text that are written in another way than the rest of the
 * console, each with its fault and the text around it.
 */
export function foreignFigures(text: string): string[] {
  const plain = text.replaceAll(STAMP, '◆').replaceAll(CLOCKS, '◆').replaceAll(PLAY_TIME, '◆')
  return foreign.flatMap(([name, pattern]) =>
    [...plain.matchAll(pattern)]
      .filter(([found]) => !isOurs(found))
      .map(({ 0: found, index }) => {
        const around = plain.slice(Math.max(0, index - 30), index + found.length + 30).replaceAll(/\s+/g, ' ')
        return `${name}: ${found} in “${around}”`
      }),
  )
}
