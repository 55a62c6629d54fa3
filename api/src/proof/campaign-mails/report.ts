import {
  type PopDay,
  popDocument,
  type PopFigures,
  type ProgramDelivery,
  type ReportOccasion,
} from '@roadshow/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { OFFICE_ZONE } from '../../platform/db/office-zone.ts'
import { AppError } from '../../platform/runtime/app-error.ts'
import { deliveriesOf } from '../delivery/index.ts'
import { loadPopFigures, loadPopMarkets, publicVersion } from '../pop/index.ts'
import type { ReportedProgram } from './rules.ts'

/** What a report tells, with the numbers of the program's page. */
export interface CampaignReport {
  occasion: ReportOccasion
  program: string
  client: string
  from: string
  to: string
  /** The figures of the program up to now, or those of the published version. */
  total: PopFigures
  markets: { name: string; days: PopDay[] }[]
  /** How much of what is booked is delivered; undefined for a published version, which does not know. */
  delivery: ProgramDelivery | undefined
  /** The public version, if there is one. */
  page: { url: string; version: number; sha256: string } | undefined
}

/** The report that is asked for. */
export interface ReportRequest {
  programUid: string
  occasion: ReportOccasion
  from: string
  to: string
  publicUrl: string
  now: Date
}

interface ReportProgram extends ReportedProgram {
  uid: string
  name: string
  client: string
}

/** Programs with what decides about their reports. */
export async function loadReportPrograms(db: Db, uids: readonly string[]): Promise<ReportProgram[]> {
  const { rows } = await sql<ReportProgram>`
    select p.uid, p.name, c.name as client, p.starts_on as "startsOn", p.ends_on as "endsOn",
           coalesce((select json_agg(distinct zone_at(m.zone, m.earlier_zones, now())) from program_market k join market m on m.uid = k.market_uid
                      where k.program_uid = p.uid), json_build_array(${OFFICE_ZONE})) as zones
      from client_program p join client c on c.uid = p.client_uid
     where p.uid = any(${[...uids]}::uuid[]) and p.deleted_at is null`.execute(db)
  return rows
}

export async function loadReportProgram(db: Db, uid: string): Promise<ReportProgram> {
  const [program] = await loadReportPrograms(db, [uid])
  if (!program) throw new AppError('notFound')
  return program
}

/** Gathers a report: of a published version from its document, otherwise from the figures of now. */
export async function loadReport(db: Db, request: ReportRequest): Promise<CampaignReport> {
  const { programUid, occasion, from, to, publicUrl, now } = request
  const program = await loadReportProgram(db, programUid)
  const version = await publicVersion(db, programUid)
  const page = version && {
    url: `${publicUrl}/programs/${encodeURIComponent(version.popUrl)}`,
    version: version.number,
    sha256: version.sha256,
  }
  const about = { occasion, program: program.name, client: program.client, from, to, page }
  if (occasion === 'published' && version) {
    const document = popDocument.parse(JSON.parse(version.document))
    const markets = document.chapters.map(({ name, perDay }) => ({ name, days: perDay }))
    return { ...about, total: document.figures, markets, delivery: undefined }
  }
  const { total, markets } = await loadPopFigures(db, programUid)
  const deliveries = await deliveriesOf(db, 'all', [programUid], now.getTime())
  const named = await loadPopMarkets(db, programUid)
  const isInside = ({ day }: PopDay) => day >= from && day <= to
  return {
    ...about,
    total,
    delivery: deliveries.get(programUid),
    markets: named.map(({ uid, name }) => ({ name, days: (markets.get(uid)?.days ?? []).filter(isInside) })),
  }
}
