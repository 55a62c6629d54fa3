import { fitOfSet } from '@roadshow/contract/catalog/artwork'
import type { TruckGroup } from '@roadshow/contract/catalog/artwork'
import { truckSideLabel, truckSides } from '@roadshow/contract/catalog/pixel-maps'
import { trucks } from '@roadshow/contract/catalog/trucks'
import { FigureLink } from '../../ui/list/FigureLink.tsx'
import { List, Row, Soft } from '../../ui/layout.tsx'
import { countOf, formatCount } from '@roadshow/contract/platform/figures'
import { ErrorState, SkeletonLines } from '../../ui/states.tsx'
import type { FilesBySide } from './ArtworkPreview.tsx'
import { FitTag } from './FitTag.tsx'
import { useTruckGroups } from './useTruckGroups.ts'
import styles from './artwork.module.css'

const numbersText = ({ trucks: count, numbers }: TruckGroup) => {
  const more = count - numbers.length
  return numbers.length === 0 ? '' : `: ${numbers.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`
}

/** The trucks of a pixel map. The count leads to them; the list of trucks has no filter for those without a map. */
const TrucksOfGroup = ({ group }: { group: TruckGroup }) => (
  <>
    {group.pixelMap ? (
      <FigureLink
        list={trucks.list}
        to="/trucks"
        search={{ pixelMap: group.pixelMap.uid, state: ['active', 'inShop'] }}
      >
        {countOf(group.trucks, 'truck')}
      </FigureLink>
    ) : (
      countOf(group.trucks, 'truck')
    )}
    {numbersText(group)}
  </>
)

/** How the set meets each truck, trucks of the same pixel map together. */
export function FitGrid({ files }: { files: FilesBySide }) {
  const found = useTruckGroups()
  if (found.isError) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  if (!found.data) return <SkeletonLines />
  if (found.data.length === 0) return <p>No trucks yet.</p>
  const given = {
    driverSide: files.driverSide ?? null,
    passengerSide: files.passengerSide ?? null,
    rear: files.rear ?? null,
  }
  return (
    <>
      <Soft as="p">Retired trucks are not counted.</Soft>
      <List>
        {found.data.map((group) => {
          const { fit, sides } = fitOfSet(given, group.panels)
          return (
            <li key={group.pixelMap?.uid ?? 'none'} className={styles.fit}>
              <Row gap={3} between>
                <strong>{group.pixelMap?.name ?? 'Without a pixel map'}</strong>
                <FitTag fit={fit} />
              </Row>
              <Soft as="p">
                <TrucksOfGroup group={group} />
              </Soft>
              {group.panels && (
                <dl className={styles.fitSides}>
                  {truckSides.map((side) => (
                    <div key={side}>
                      <Soft as="dt" small>
                        {truckSideLabel[side]}{' '}
                        <span className="figures">
                          {group.panels?.[side].width} × {group.panels?.[side].height}
                        </span>
                      </Soft>
                      <dd>
                        <FitTag fit={sides[side]} />
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          )
        })}
      </List>
    </>
  )
}
