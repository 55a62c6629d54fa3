import { formatMoment } from '@roadshow/contract/platform/dates'
import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useDay, useLanguage, useMay, useNow, useWords } from '../context.ts'
import { ContactLinks } from '../ui/ContactLinks.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Frame } from '../ui/Frame.tsx'
import { CameraPage } from './CameraPage.tsx'
import { photoShifts } from './shift-rules.ts'

/** Photos of the running shift. Those of another one need the step of choosing it. */
export default function PhotosPage({ values }: { values: Record<string, string> }) {
  const now = useNow()
  const shifts = useDay()?.shifts ?? []
  const may = useMay()
  const { running, others } = photoShifts(shifts, now)
  const shift = values['uid'] ? shifts.find(({ uid }) => uid === values['uid']) : running
  if (!may.photos) return <NoPhotos shift={shift ?? others[0]} />
  if (!shift) return <ChooseShift shifts={others} />
  return (
    <CameraPage key={shift.uid} shift={shift} isRunning={shift.uid === running?.uid}>
      <ShiftLinks shifts={[...(running ? [running] : []), ...others].filter(({ uid }) => uid !== shift.uid)} />
    </CameraPage>
  )
}

/** An old link or a bookmark leads here after the right was taken away. */
function NoPhotos({ shift }: { shift: DriverAppShift | undefined }) {
  const words = useWords()
  const may = useMay()
  return (
    <Frame>
      <h1>{words.noPhotosTitle}</h1>
      <p>{words.noPhotosText}</p>
      {/* An account that may only read has them at the top of every page. */}
      {may.act && <ContactLinks contacts={shift?.contacts ?? []} />}
    </Frame>
  )
}

function ChooseShift({ shifts }: { shifts: DriverAppShift[] }) {
  const words = useWords()
  return (
    <Frame>
      <h1>{words.noRunningShift}</h1>
      <p>{shifts.length > 0 ? words.noRunningShiftText : words.noPhotoShift}</p>
      {shifts.map((shift) => (
        <ShiftLink key={shift.uid} shift={shift} />
      ))}
    </Frame>
  )
}

function ShiftLinks({ shifts }: { shifts: DriverAppShift[] }) {
  const words = useWords()
  if (shifts.length === 0) return null
  return (
    <details>
      <summary>{words.otherShift}</summary>
      {shifts.map((shift) => (
        <ShiftLink key={shift.uid} shift={shift} />
      ))}
    </details>
  )
}

function ShiftLink({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const language = useLanguage()
  return (
    <ButtonLink to={`/photos/${shift.uid}`}>
      {words.photosForShift(shift.truck.number, formatMoment(shift.startsAt, shift.zone, language))}
    </ButtonLink>
  )
}
