import type { RefusalGroup } from '@roadshow/contract/planning/shifts'
import { Soft } from '../../../../ui/layout.tsx'
import { countOf } from '@roadshow/contract/platform/figures'
import styles from './PlanChangeDialog.module.css'

interface RefusalGroupsProps {
  label: string
  groups: readonly RefusalGroup[]
}

/** Refused shifts by reason with their number; the shifts stand behind each reason. */
export const RefusalGroups = ({ label, groups }: RefusalGroupsProps) =>
  groups.length > 0 && (
    <ul className={styles.groups} aria-label={label}>
      {groups.map(({ reason, shifts }) => (
        <li key={reason}>
          <details open={groups.length === 1 && shifts.length <= 5}>
            <summary>
              {reason} <Soft>{countOf(shifts.length, 'shift')}</Soft>
            </summary>
            <ul>
              {shifts.map(({ uid, name, detail }) => (
                <li key={uid}>
                  {name} {detail && <Soft>{detail}</Soft>}
                </li>
              ))}
            </ul>
          </details>
        </li>
      ))}
    </ul>
  )

/** Shifts that can be saved although the way to them or on from them takes too long. */
export const LateArrivals = ({ shifts }: { shifts: RefusalGroup['shifts'] }) => (
  <RefusalGroups
    label="Warnings"
    groups={shifts.length > 0 ? [{ reason: 'Too little time to travel. This can be saved.', shifts: [...shifts] }] : []}
  />
)

export const refusedCount = (groups: readonly RefusalGroup[]): number =>
  groups.reduce((sum, { shifts }) => sum + shifts.length, 0)
