import {
  type ArtworkSet,
  type BodyOf,
  type OldProgram,
  oldPrograms,
  type Page,
  type Program,
  type programs,
  type QueryOf,
} from '@roadshow/contract'
import { AppError } from '../platform/runtime/app-error.ts'
import { createArtworkSet, firstArtworkSets, updateArtworkSet } from '../catalog/artwork/index.ts'
import { type Db, inTransaction } from '../platform/db/connection.ts'
import type { Scope } from '../platform/db/records/scope.ts'
import { serveDeletion } from '../platform/deletion/index.ts'
import type { App } from '../platform/http/app.ts'
import { byBody } from '../platform/http/handlers.ts'
import { columnsWithin } from '../platform/spreadsheet/columns.ts'
import { type ListSheet, listOrExport } from '../platform/spreadsheet/list-or-export.ts'
import { serve } from '../platform/http/serve.ts'
import { parquetOf } from '../platform/parquet/index.ts'
import {
  createProgram,
  programRecords,
  programDeletion,
  programSheet,
  updateProgram,
} from '../catalog/programs/index.ts'
import { fillProgramSpan, sdPageOrFile } from '../proof/reports/index.ts'
import { reshaped } from './flat.ts'

export function oldProgramRoutes(app: App): void {
  serve(app, oldPrograms.list, (call) =>
    reshaped(listOrExport(call, programsWithArtwork, programArtworkSheet), toOldProgram),
  )
  serve(app, oldPrograms.create, byBody(createWithArtwork))
  serve(app, oldPrograms.update, byBody(updateWithArtwork))
  serveDeletion(app, oldPrograms, programDeletion)
  serve(
    app,
    oldPrograms.sdReport,
    ({ db, scope, params, query }) =>
      sdPageOrFile({ db, parquet: parquetOf(app) }, scope, { ...query, program: params.programUid }),
    fillProgramSpan,
  )
}

/** A program with the first of its artwork sets, if it has one. */
interface ProgramWithArtwork {
  program: Program
  set: ArtworkSet | undefined
}

type Query = QueryOf<typeof programs.list>

// The size of the largest page.
const AT_ONCE = 200

async function addArtwork(db: Db, scope: Scope, found: readonly Program[]): Promise<ProgramWithArtwork[]> {
  const uids = found.map(({ uid }) => uid)
  const sets = await firstArtworkSets(db, scope, uids)
  return found.map((program) => ({ program, set: sets.get(program.uid) }))
}

const programsWithArtwork = {
  async page(db: Db, scope: Scope, query: Query): Promise<Page<ProgramWithArtwork>> {
    const found = await programRecords.page(db, scope, query)
    return { ...found, data: await addArtwork(db, scope, found.data) }
  },
  async *stream(db: Db, scope: Scope, query: Query): AsyncGenerator<ProgramWithArtwork> {
    let some: Program[] = []
    for await (const program of programRecords.stream(db, scope, query)) {
      if (some.push(program) < AT_ONCE) continue
      yield* await addArtwork(db, scope, some)
      some = []
    }
    yield* await addArtwork(db, scope, some)
  },
}

const programArtworkSheet: ListSheet<ProgramWithArtwork, Query> = {
  ...programSheet,
  columns: {
    ...columnsWithin(programSheet.columns, ({ program }) => program),
    'Artwork set': ({ set }) => set?.name ?? '',
    'Driver side': ({ set }) => set?.driverSideArtwork?.name ?? '',
    'Passenger side': ({ set }) => set?.passengerSideArtwork?.name ?? '',
    Rear: ({ set }) => set?.rearArtwork?.name ?? '',
  },
}

const createWithArtwork = (
  db: Db,
  scope: Scope,
  { artwork, ...input }: BodyOf<typeof oldPrograms.create>,
): Promise<OldProgram> =>
  inTransaction(db, async (db) => {
    const program = await createProgram(db, scope, input)
    const set =
      artwork && (await prefixArtworkFields(createArtworkSet(db, scope, { ...artwork, programUid: program.uid })))
    return toOldProgram({ program, set })
  })

const updateWithArtwork = (
  db: Db,
  scope: Scope,
  { uid, version, artwork, ...input }: BodyOf<typeof oldPrograms.update>,
): Promise<OldProgram> =>
  inTransaction(db, async (db) => {
    const program = await updateProgram(db, scope, { uid, version, ...input })
    const first = (await firstArtworkSets(db, scope, [uid])).get(uid)
    if (!artwork) return toOldProgram({ program, set: first })
    const { seen, ...given } = artwork
    // Another set is the first one now, so the caller's copy is outdated.
    if (first?.uid !== seen?.uid) throw new AppError('staleVersion')
    const set = { ...given, programUid: uid }
    const saved = seen
      ? updateArtworkSet(db, scope, { uid: seen.uid, version: seen.version, ...set })
      : createArtworkSet(db, scope, set)
    return toOldProgram({ program, set: await prefixArtworkFields(saved) })
  })

/** Prefixes the fields of a refused set as the old body does, which also holds the program's own fields. */
async function prefixArtworkFields<T>(saved: Promise<T>): Promise<T> {
  try {
    return await saved
  } catch (error) {
    if (!(error instanceof AppError) || !error.fields) throw error
    const fields = Object.entries(error.fields).map(([field, message]) => [`artwork.${field}`, message])
    throw new AppError(error.code, { text: error.message, fields: Object.fromEntries(fields) })
  }
}

const toOldProgram = ({ program: { client, ...program }, set }: ProgramWithArtwork): OldProgram => ({
  ...program,
  clientUid: client.uid,
  clientName: client.name,
  artworkSetUid: set?.uid ?? null,
  artworkSetName: set?.name ?? null,
  artworkSetStatus: set?.status ?? null,
  artworkSetNote: set?.note ?? null,
  artworkSetVersion: set?.version ?? null,
  driverSideArtwork: set?.driverSideArtwork ?? null,
  passengerSideArtwork: set?.passengerSideArtwork ?? null,
  rearArtwork: set?.rearArtwork ?? null,
})
