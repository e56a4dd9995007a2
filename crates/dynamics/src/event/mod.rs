//! Events: functions of the state whose zeros are located in time, and the driver that stops at them.
