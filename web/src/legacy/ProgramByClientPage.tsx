import { artworkField, artworkStatusLabel } from '@roadshow/contract/catalog/artwork'
import { oldPrograms } from '@roadshow/contract/legacy'
import type { OldProgram, OldProgramInput } from '@roadshow/contract/legacy'
import { truckSideLabel } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { programs, programStatusLabel, proposePopUrl, statusesFrom } from '@roadshow/contract/catalog/programs'
import { formatDay } from '@roadshow/contract/platform/dates'
import { useMemo } from 'react'
import { call } from '../api/call.ts'
import { useMay } from '../api/user.ts'
import { clientLookup } from '../catalog/lookups/clientLookup.ts'
import { programFilters } from '../catalog/programs/programColumns.tsx'
import { RowLink } from '../ui/rows/RowLink.tsx'
import { ClassicList } from './table/ClassicList.tsx'
import type { ClassicColumn, CellEdit } from './table/columns.ts'
import type { LineChanges } from './table/editsStore.ts'
import { pickFields } from './table/saved.ts'
import { fewOf, useChoices } from './table/useAll.ts'
import styles from './oldPages.module.css'

/** The statuses that a program may have next, as the new form offers them. */
const statusEdit = (program: OldProgram | undefined) =>
  fewOf(
    Object.fromEntries(statusesFrom(program?.status).map((status) => [status, programStatusLabel[status]])),
    'status',
  )

const sideOf = (side: TruckSide): ClassicColumn<OldProgram> => {
  const fileOf = (program: OldProgram) => program[artworkField[side]]
  return {
    key: artworkField[side],
    label: truckSideLabel[side],
    width: 100,
    text: (program) => fileOf(program)?.name ?? '',
    show: (program) => {
      const file = fileOf(program)
      if (!file) return <span className={styles.missing}>none</span>
      const name = `${truckSideLabel[side]} of ${program.name}: ${file.name}`
      return (
        <a href={file.url} target="_blank" rel="noreferrer" aria-label={name}>
          {file.thumbnailUrl ? (
            <img className={styles.side} src={file.thumbnailUrl} alt="" loading="lazy" />
          ) : (
            file.name
          )}
        </a>
      )
    },
  }
}

const columnsWith = (client: CellEdit | undefined, maySeePrograms: boolean): ClassicColumn<OldProgram>[] => [
  { key: 'name', label: 'Program', width: 190, text: ({ name }) => name, edit: { kind: 'text' } },
  {
    key: 'clientUid',
    label: 'Client',
    width: 150,
    text: ({ clientName }) => clientName,
    // Only a draft changes its client: afterwards its POP, shifts and users belong to the client.
    edit: (program) => (!program || program.status === 'draft' ? client : undefined),
  },
  {
    key: 'status',
    label: 'Status',
    width: 96,
    text: ({ status }) => programStatusLabel[status],
    edit: statusEdit,
  },
  { key: 'startsOn', label: 'Starts', width: 112, text: ({ startsOn }) => formatDay(startsOn), edit: { kind: 'day' } },
  { key: 'endsOn', label: 'Ends', width: 112, text: ({ endsOn }) => formatDay(endsOn), edit: { kind: 'day' } },
  { key: 'popUrl', label: 'POP address', width: 174, text: ({ popUrl }) => popUrl, edit: { kind: 'text' } },
  sideOf('driverSide'),
  sideOf('passengerSide'),
  sideOf('rear'),
  {
    key: 'artworkSet',
    label: 'Artwork set',
    width: 150,
    text: ({ artworkSetName, artworkSetStatus }) =>
      artworkSetName && artworkSetStatus
        ? `${artworkSetName} (${artworkStatusLabel[artworkSetStatus].toLowerCase()})`
        : '',
  },
  {
    key: 'markets',
    label: 'Markets',
    width: 200,
    text: ({ markets }) => markets.map(({ name }) => name).join(', '),
  },
  { key: 'note', label: 'Note', width: 180, text: ({ note }) => note, edit: { kind: 'lines' } },
  ...(maySeePrograms
    ? [
        {
          key: 'more',
          label: 'More',
          width: 56,
          text: () => '',
          show: ({ uid, name }: OldProgram) => (
            <RowLink uid={uid} to="/client-programs">
              <span aria-label={`Open ${name}`}>Open</span>
            </RowLink>
          ),
        },
      ]
    : []),
]

const rowKey = ({ uid }: OldProgram) => uid
const clientOf = ({ clientName }: OldProgram) => clientName
const byClient = (rows: readonly OldProgram[]) =>
  rows.toSorted((one, other) => one.clientName.localeCompare(other.clientName) || one.name.localeCompare(other.name))

const marketsOf = ({ markets }: OldProgram) =>
  markets.map(({ uid, startsOn, endsOn }) => ({ marketUid: uid, startsOn, endsOn }))

/** Without an address of its own, a new program gets the one that its name suggests. */
const newProgram = (changes: LineChanges) =>
  ({
    ...changes,
    popUrl: changes.popUrl || proposePopUrl(String(changes.name)),
    markets: [],
  }) as unknown as OldProgramInput

/** What the old page sends of a saved program; its booked lines stay as they are. */
function toUpdate(program: OldProgram) {
  const { bookedLines: _bookedLines, ...fields } = program
  return { ...pickFields(oldPrograms.update.body, fields), markets: marketsOf(program) }
}

const save = (program: OldProgram | undefined, changes: LineChanges, idempotencyKey: string) =>
  program
    ? call(oldPrograms.update, { body: { ...toUpdate(program), ...changes } })
    : call(oldPrograms.create, { body: newProgram(changes) }, { idempotencyKey })

const preset = { status: programStatusLabel.draft }
const remove = {
  calls: oldPrograms,
  uidOf: ({ uid }: OldProgram) => uid,
  effect: 'It will be removed from the list and can no longer be scheduled. Its shifts, plays and photos are kept.',
}

/** Clients with their programs, and the artwork of each side beside them. */
export default function ProgramByClientPage() {
  const mayEdit = useMay(oldPrograms.update)
  const maySeePrograms = useMay(programs.list)
  const client = useChoices(clientLookup, 'client')
  const columns = useMemo(() => columnsWith(client, maySeePrograms), [client, maySeePrograms])
  const mayAdd = mayEdit && client !== undefined
  return (
    <ClassicList
      nouns={['program', 'programs']}
      list={oldPrograms.list}
      filters={programFilters.filter((filter) => !('lookup' in filter) || maySeePrograms)}
      arrange={byClient}
      perPage={100}
      empty="No programs yet."
      label="Programs by client"
      columns={columns}
      rowKey={rowKey}
      nameOf={({ name }) => name}
      groupOf={clientOf}
      {...(mayEdit && { save, remove })}
      {...(mayAdd && { addWord: 'Add a program', preset })}
    />
  )
}
