//! Forces of contacts that give way: normal laws, the damping that delivers a restitution, friction with a stick phase.
