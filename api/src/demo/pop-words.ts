/** What is written above the numbers of a POP in the demo. */
export const demoHeadlines = [
  'Seen on every corner that mattered',
  'A moving billboard, street by street',
  'Where people wait, we drove by',
  'Two shifts a day, every day',
  'From the first commute to the last train',
] as const

export const popText = (client: string, program: string, markets: readonly string[]): string =>
  `“${program}” put ${client} on the road in ${listed(markets)}. Our trucks drove where people were: business ` +
  'districts in the morning, shopping streets in the afternoon, and the ways to games and concerts at night.\n\n' +
  'Every number below comes from the trackers and players in the trucks, every photo from the drivers who were there.'

const listed = (names: readonly string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

const chapters = [
  {
    headline: (market: string) => `${market}, rush hour to last call`,
    text: 'Loops through downtown at the hours when sidewalks are full, with stops wherever the truck could stand in sight of a crowd.',
  },
  {
    headline: (market: string) => `Around ${market} in eight hours`,
    text: 'Long ways along the wide streets, short stops at stations and markets. The rear screen did the work at every red light.',
  },
  {
    headline: (market: string) => `${market} after work`,
    text: 'Shopping streets and riverside until dark. People stopped to take pictures; drivers took some of them.',
  },
] as const

export const chapterWords = (index: number, market: string) => {
  const { headline, text } = chapters[index % chapters.length] ?? chapters[0]
  return { headline: headline(market), text }
}

const captions = [
  'Driver side, downtown loop.',
  'Waiting at the light: everybody reads it.',
  'In front of the station before the trains come in.',
  'First stop of the day.',
  'Across from the market hall.',
  'Slow traffic, long look.',
  'At the corner where the buses stop.',
  'Screens at full brightness.',
  'On the way to the stadium.',
  'Last round before the yard.',
]

export const demoCaption = (seed: number): string => captions[seed % captions.length] ?? ''

export const NO_DATA_CAPTION = 'Sent by a passer-by through a messenger.'
export const ELSEWHERE_CAPTION = 'Said to be our truck; the place does not agree.'
