import type { DriverMark } from '@roadshow/contract/planning/driver-marks'
import { StateTag } from '../../ui/text/StateTag.tsx'
import type { Tone } from '../../ui/text/StateTag.tsx'
import { Soft } from '../../ui/layout.tsx'
import { CONFIRMED_TEXT, driverMarkTexts, isConfirmed } from './shiftText.ts'
import styles from './shifts.module.css'

/** A late start is over; everything else waits for dispatch. */
const toneOf = (mark: DriverMark): Tone => (mark === 'startedLate' ? 'parked' : 'warn')

interface DriverSignsProps {
  shift: Parameters<typeof driverMarkTexts>[0] & Parameters<typeof isConfirmed>[0]
  /** Marks that stand beside already. */
  except?: readonly DriverMark[]
}

/** What the driver of a shift said and did, as far as dispatch should know. */
export function DriverSigns({ shift, except = [] }: DriverSignsProps) {
  const marks = driverMarkTexts(shift).filter(({ mark }) => !except.includes(mark))
  return (
    <>
      {isConfirmed(shift) && (
        <Soft small className={styles.sign} title={CONFIRMED_TEXT}>
          <StateTag tone="driving">Confirmed</StateTag>
        </Soft>
      )}
      {marks.map(({ mark, short, text }) => (
        <Soft key={mark} small className={styles.sign} title={text}>
          <StateTag tone={toneOf(mark)}>{short}</StateTag>
        </Soft>
      ))}
    </>
  )
}

/** The driver of a shift in a table, with the signs beside the name. */
export const DriverCell = ({ shift, except }: DriverSignsProps & { shift: { driver: { name: string } | null } }) => (
  <div className={styles.cell}>
    <span className={styles.name}>{shift.driver?.name}</span>
    <DriverSigns shift={shift} {...(except && { except })} />
  </div>
)
