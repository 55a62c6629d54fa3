import { type ArtworkSet, type artworkSets, artworkStatusLabel, type FileRef, type QueryOf } from '@roadshow/contract'
import { clientRecords } from '../clients/index.ts'
import { filterByName, type ListSheet, namesOf } from '../../platform/spreadsheet/list-or-export.ts'
import { timeColumn } from '../../platform/spreadsheet/columns.ts'
import { programRecords } from '../programs/index.ts'

const described = (file: FileRef | null) =>
  file ? [file.name, file.width && file.height ? `${file.width} × ${file.height}` : ''].filter(Boolean).join(', ') : ''

export const artworkSheet: ListSheet<ArtworkSet, QueryOf<typeof artworkSets.list>> = {
  name: 'artworks',
  columns: {
    Name: (set) => set.name,
    Client: (set) => set.client.name,
    Program: (set) => set.program.name,
    Status: (set) => artworkStatusLabel[set.status],
    'Driver side': (set) => described(set.driverSideArtwork),
    'Passenger side': (set) => described(set.passengerSideArtwork),
    Rear: (set) => described(set.rearArtwork),
    'Approved by': (set) => set.approvedBy?.name ?? '',
    Approved: timeColumn((set) => set.approvedAt),
    Note: (set) => set.note,
    Updated: timeColumn((set) => set.updatedAt),
  },
  filters: async (db, scope, { program, client, status }) => [
    ...(client ? [filterByName('client', await namesOf(clientRecords, db, scope, client))] : []),
    ...(program ? [filterByName('program', await namesOf(programRecords, db, scope, program))] : []),
    ...(status ? [`status: ${status.map((name) => artworkStatusLabel[name]).join(', ')}`] : []),
  ],
}
