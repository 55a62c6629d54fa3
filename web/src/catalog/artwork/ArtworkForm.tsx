import { artworkField, artworkSets } from '@roadshow/contract/catalog/artwork'
import type { ArtworkInput, ArtworkSet } from '@roadshow/contract/catalog/artwork'
import type { FileRef } from '@roadshow/contract/platform/files'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import type { TruckSide } from '@roadshow/contract/catalog/pixel-maps'
import { Form, Input } from 'antd'
import { createContext, use, useState } from 'react'
import type { ReactNode } from 'react'
import { programLookup } from '../lookups/programLookup.ts'
import { Field, NoteSection, Section } from '../../ui/form/fields.tsx'
import type { FieldsOf } from '../../ui/text/words.ts'
import { FormDrawer } from '../../ui/record/FormDrawer.tsx'
import type { RecordFormProps } from '../../ui/record/RecordDrawer.tsx'
import { RecordField } from '../../ui/form/RecordField.tsx'
import type { FormPart } from '../../ui/record/records.ts'
import { FileUpload, StoredFile } from '../../ui/form/FileUpload.tsx'
import { singleValue } from '../../ui/useListState.ts'
import type { UrlSearch } from '../../ui/useListState.ts'
import { ArtworkApproval } from './ArtworkApproval.tsx'
import { FitGrid } from './FitGrid.tsx'
import { SideSizes } from './SideSizes.tsx'
import { ArtworkPreview } from './ArtworkPreview.tsx'
import type { FilesBySide } from './ArtworkPreview.tsx'
import { useArtworkSteps } from './useArtworkSteps.ts'

const fields: FieldsOf<ArtworkInput> = {
  name: 'Name',
  programUid: 'Program',
  driverSideArtworkUid: truckSideLabel.driverSide,
  passengerSideArtworkUid: truckSideLabel.passengerSide,
  rearArtworkUid: truckSideLabel.rear,
  note: 'Note',
}

const blank: ArtworkInput = {
  // A form starts without a program; saving asks for one.
  programUid: '',
  name: '',
  driverSideArtworkUid: null,
  passengerSideArtworkUid: null,
  rearArtworkUid: null,
  note: '',
}

const uidField = (side: TruckSide) => `${artworkField[side]}Uid` as const

/** Files uploaded since the form was opened, by uid. */
type Uploaded = Record<string, FileRef>
const UploadedContext = createContext<Uploaded>({})

/** The files that the form holds at the moment, saved or not. */
function useFiles(set: ArtworkSet | undefined): FilesBySide {
  const uploaded = use(UploadedContext)
  const form = Form.useFormInstance<ArtworkInput>()
  const held = {
    driverSide: Form.useWatch(uidField('driverSide'), form),
    passengerSide: Form.useWatch(uidField('passengerSide'), form),
    rear: Form.useWatch(uidField('rear'), form),
  }
  const fileOf = (side: TruckSide) => {
    const saved = set?.[artworkField[side]] ?? undefined
    const uid = held[side]
    return uid ? (uploaded[uid] ?? (saved?.uid === uid ? saved : undefined)) : undefined
  }
  return { driverSide: fileOf('driverSide'), passengerSide: fileOf('passengerSide'), rear: fileOf('rear') }
}

interface WithFilesProps {
  set: ArtworkSet | undefined
  children: (files: FilesBySide, isEdited: boolean) => ReactNode
}

function WithFiles({ set, children }: WithFilesProps) {
  const files = useFiles(set)
  return children(
    files,
    truckSides.some((side) => files[side]?.uid !== set?.[artworkField[side]]?.uid),
  )
}

const parts: FormPart<ArtworkSet>[] = [
  {
    label: 'On the truck',
    fields: [],
    content: (set) => <WithFiles set={set}>{(files) => <ArtworkPreview files={files} />}</WithFiles>,
  },
  {
    label: 'Fit',
    fields: [],
    content: (set) => <WithFiles set={set}>{(files) => <FitGrid files={files} />}</WithFiles>,
  },
]

const prefill = ({ program }: UrlSearch) => ({ programUid: singleValue(program) })

export default function ArtworkForm(drawer: RecordFormProps) {
  const nextSteps = useArtworkSteps()
  const [uploaded, setUploaded] = useState<Uploaded>({})
  return (
    <UploadedContext value={uploaded}>
      <FormDrawer
        {...drawer}
        large
        noun="artwork set"
        calls={artworkSets}
        fields={fields}
        blank={blank}
        prefill={prefill}
        nextSteps={nextSteps}
        nameOf={(set) => set.name}
        toInput={(set) => ({
          programUid: set.program.uid,
          name: set.name,
          driverSideArtworkUid: set.driverSideArtwork?.uid ?? null,
          passengerSideArtworkUid: set.passengerSideArtwork?.uid ?? null,
          rearArtworkUid: set.rearArtwork?.uid ?? null,
          note: set.note,
        })}
        onDelete="The set will be removed from the list and can no longer be scheduled. Its past plays are kept."
        parts={parts}
      >
        {(set) => (
          <>
            {set && (
              <WithFiles set={set}>
                {(_files, isEdited) => <ArtworkApproval set={set} isEdited={isEdited} onDone={drawer.onClose} />}
              </WithFiles>
            )}
            <Section title="Set">
              <Field name="name">
                <Input maxLength={120} />
              </Field>
              <RecordField name="programUid" lookup={programLookup} current={set?.program} />
            </Section>
            <Section title="Files" boxes>
              {truckSides.map((side) => (
                <Field
                  key={side}
                  name={uidField(side)}
                  reads={<StoredFile file={set?.[artworkField[side]]} />}
                  hint={<WithFiles set={set}>{(files) => <SideSizes side={side} file={files[side]} />}</WithFiles>}
                >
                  <FileUpload
                    purpose="artwork"
                    current={set?.[artworkField[side]]}
                    onStored={(file) => setUploaded((before) => ({ ...before, [file.uid]: file }))}
                  />
                </Field>
              ))}
            </Section>
            <NoteSection />
          </>
        )}
      </FormDrawer>
    </UploadedContext>
  )
}
