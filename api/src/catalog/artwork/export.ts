import { type ArtworkSet, type artworkSets, artworkStatusLabel, type FileRef, type QueryOf } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import type { Db } from '../../platform/db/connection.ts'
import type { Scope } from '../../platform/db/records/scope.ts'
import { filterByName, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import { programRecords } from '../programs/index.ts'

const described = (file: FileRef | null) =>
  file ? [file.name, file.width && file.height ? `${file.width} × ${file.height}` : ''].filter(Boolean).join(', ') : ''

export const artworkSheet = {
  name: 'artworks',
  columns: {
    Name: (set: ArtworkSet) => set.name,
    Client: (set: ArtworkSet) => set.client.name,
    Program: (set: ArtworkSet) => set.program.name,
    Status: (set: ArtworkSet) => artworkStatusLabel[set.status],
    'Driver side': (set: ArtworkSet) => described(set.driverSideArtwork),
    'Passenger side': (set: ArtworkSet) => described(set.passengerSideArtwork),
    Rear: (set: ArtworkSet) => described(set.rearArtwork),
    'Approved by': (set: ArtworkSet) => set.approvedBy?.name ?? '',
    Approved: timeColumn((set: ArtworkSet) => set.approvedAt),
    Note: (set: ArtworkSet) => set.note,
    Updated: timeColumn((set: ArtworkSet) => set.updatedAt),
  },
  filters: async (db: Db, scope: Scope, { program, client, status }: QueryOf<typeof artworkSets.list>) => [
    ...(client ? [filterByName('client', await namesOf(clientRecords, db, scope, client))] : []),
    ...(program ? [filterByName('program', await namesOf(programRecords, db, scope, program))] : []),
    ...(status ? [`status: ${status.map((name) => artworkStatusLabel[name]).join(', ')}`] : []),
  ],
}
