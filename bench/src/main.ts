import { apiFigures } from './api-figures.ts'
import { fleetFigures } from './fleet-figures.ts'
import { pageFigures } from './page-figures.ts'
import { photoFigures } from './photo-figures.ts'
import { measurePop } from './pop-figures.ts'
import { recordFigures } from './record-figures.ts'
import { reportFigures } from './report-figures.ts'
import { type Figure, table } from './report.ts'
import { scheduleFigures } from './schedule-figures.ts'
import { uploadFigures } from './upload-figures.ts'
import { closeWorld, openWorld } from './world.ts'

let closing: Promise<void> | undefined
const close = () => (closing ??= closeWorld())

async function stopOnSignal(): Promise<void> {
  await close()
  process.exit(130)
}
process.on('SIGINT', () => void stopOnSignal())
process.on('SIGTERM', () => void stopOnSignal())

const figures: Figure[] = []
// `npm run bench -- api pages` measures only some of them. Uploads come first, while our server's memory is still fresh; the
// other records after the trucks, whose figures stay those of a database that holds nothing else; the live fleet at the
// end, since most trucks retire for it.
const measures = {
  upload: uploadFigures,
  api: apiFigures,
  pages: pageFigures,
  pop: measurePop,
  photos: photoFigures,
  records: recordFigures,
  schedule: scheduleFigures,
  fleet: fleetFigures,
  reports: reportFigures,
}
const chosen = process.argv.slice(2)

try {
  console.log('Filling a database with 100,000 trucks …')
  const world = await openWorld()
  for (const [name, measure] of Object.entries(measures)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue
    for await (const figure of measure(world)) {
      figures.push(figure)
      console.log(`${figure.name}: ${[figure.ours, figure.beside, figure.ratio].filter(Boolean).join(', ')}`)
    }
  }
} finally {
  await close()
}

console.log(`\n${table(figures)}\n`)
const missed = figures.filter(({ met }) => met === false).length
console.log(missed ? `${missed} bars are missed.` : 'Every bar is met.')
process.exitCode = missed ? 1 : 0
