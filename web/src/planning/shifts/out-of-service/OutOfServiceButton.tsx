import { Button, Dropdown } from 'antd'
import { useOutOfServiceParam } from './useOutOfServiceParam.ts'

/** Takes a truck or a driver out of service from the toolbar of the schedule. */
export function OutOfServiceButton() {
  const [, ask] = useOutOfServiceParam()
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        items: [
          { key: 'driver', label: 'Driver is off…' },
          { key: 'truck', label: 'Truck to the shop…' },
        ],
        onClick: ({ key }) => ask({ over: key === 'truck' ? 'truck' : 'driver' }),
      }}
    >
      <Button>Away</Button>
    </Dropdown>
  )
}
