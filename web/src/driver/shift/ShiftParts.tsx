import type { DriverAppShift } from '@roadshow/contract/live/driver-app'
import { useDay, useMay, useNow, useWords } from '../context.ts'
import { MapPart } from './map/MapPart.tsx'
import { ButtonLink } from '../ui/Button.tsx'
import { Answer } from './Answer.tsx'
import { ArtworkCheck } from './Artwork.tsx'
import { ContactLinks } from '../ui/ContactLinks.tsx'
import { Issues } from './Issues.tsx'
import { Messages } from './Messages.tsx'
import { OtherTruck } from './OtherTruck.tsx'
import { isRunning, shiftPhase } from '../shift-rules.ts'
import { Stops } from './Stops.tsx'
import styles from './shift.module.css'

/** People to call. */
function Contacts({ contacts }: Pick<DriverAppShift, 'contacts'>) {
  const words = useWords()
  if (contacts.length === 0) return null
  return (
    <section className={styles.part}>
      <h2>{words.contacts}</h2>
      <ContactLinks contacts={contacts} />
    </section>
  )
}

function InspectionState({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  const phase = shiftPhase(shift, useNow())
  const hasList = useDay()?.inspectionItems.length !== 0
  const may = useMay()
  const canInspect = may.act && hasList && (phase === 'open' || isRunning(phase))
  const { inspection } = shift
  if (!inspection && !canInspect) return null
  return (
    <section className={styles.part}>
      <h2>{words.inspection}</h2>
      {inspection && (
        <p className={inspection.defects === 0 ? styles.good : styles.warn}>
          {words.inspectionDone(inspection.defects)}
        </p>
      )}
      {canInspect && (
        <ButtonLink to={`/shifts/${shift.uid}/inspection`}>
          {inspection ? words.inspectAgain : words.startInspection}
        </ButtonLink>
      )}
    </section>
  )
}

/** Everything about a shift below its card. */
export function ShiftParts({ shift }: { shift: DriverAppShift }) {
  const words = useWords()
  return (
    <>
      <Answer shift={shift} />
      <Stops stops={shift.stops} zone={shift.zone} />
      {shift.note && (
        <section className={styles.part}>
          <h2>{words.notes}</h2>
          <p className={styles.note}>{shift.note}</p>
        </section>
      )}
      <MapPart shift={shift} />
      <InspectionState shift={shift} />
      <ArtworkCheck artwork={shift.artwork} />
      <Contacts contacts={shift.contacts} />
      <Messages shift={shift} />
      <Issues shift={shift} />
      <OtherTruck shift={shift} />
    </>
  )
}
