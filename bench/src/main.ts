import { measureAccess } from './access-figures.ts'
import { measureApi } from './api-figures.ts'
import { measureArchive } from './archive-figures.ts'
import { measureDriverApp } from './driver-figures.ts'
import { measureFleet } from './fleet-figures.ts'
import { measureGrading } from './grading-figures.ts'
import { measureHostileFiles } from './hostile-figures.ts'
import { measureImports } from './import-figures.ts'
import { measureJobs } from './job-figures.ts'
import { measureMemory } from './memory-figures.ts'
import { measureMessages } from './message-figures.ts'
import { measurePages } from './page-figures.ts'
import { measurePhotos } from './photo-figures.ts'
import { measurePlayer } from './player-figures.ts'
import { measureCampaignLink } from './link-figures.ts'
import { measurePop } from './pop-figures.ts'
import { measureFill } from './fill-figures.ts'
import { measureRecords } from './record-figures.ts'
import { measureFacts } from './fact-figures.ts'
import { measureDelivery } from './delivery-figures.ts'
import { measureRegrading } from './regrading-figures.ts'
import { measureReplay } from './replay-figures.ts'
import { measureReports } from './report-figures.ts'
import { type BenchFigure, formatTable } from './report.ts'
import { measureSchedule } from './schedule-figures.ts'
import { measureScreenLists } from './screen-list-figures.ts'
import { measureSuggestions } from './suggestion-figures.ts'
import { measureTrackers } from './tracker-figures.ts'
import { measureUploads } from './upload-figures.ts'
import { closeBenchWorld, openBenchWorld } from './world.ts'

let closing: Promise<void> | undefined
const close = () => (closing ??= closeBenchWorld())

async function stopOnSignal(): Promise<void> {
  await close()
  process.exit(130)
}
process.on('SIGINT', () => void stopOnSignal())
process.on('SIGTERM', () => void stopOnSignal())

const figures: BenchFigure[] = []
// `npm run bench -- api pages` measures only some. Memory and uploads come first, while our server is fresh. Other records
// come after trucks, which are measured in a database with nothing else. The live fleet comes late, because it retires
// trucks, suggestions and Fill last, because they leave 500 and 60, and regrading at the very end, because it kills our server.
const measures = {
  memory: measureMemory,
  upload: measureUploads,
  api: measureApi,
  access: measureAccess,
  pages: measurePages,
  driver: measureDriverApp,
  pop: measurePop,
  link: measureCampaignLink,
  photos: measurePhotos,
  hostile: measureHostileFiles,
  player: measurePlayer,
  records: measureRecords,
  schedule: measureSchedule,
  imports: measureImports,
  fleet: measureFleet,
  trackers: measureTrackers,
  jobs: measureJobs,
  grading: measureGrading,
  replay: measureReplay,
  reports: measureReports,
  delivery: measureDelivery,
  lists: measureScreenLists,
  facts: measureFacts,
  archive: measureArchive,
  messages: measureMessages,
  suggestions: measureSuggestions,
  fill: measureFill,
  regrading: measureRegrading,
}
const chosen = process.argv.slice(2)

try {
  console.log('Filling a database with 100,000 trucks …')
  const world = await openBenchWorld()
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

console.log(`\n${formatTable(figures)}\n`)
const missed = figures.filter(({ met }) => met === false).length
console.log(missed ? `${missed} bars are missed.` : 'Every bar is met.')
process.exitCode = missed ? 1 : 0
