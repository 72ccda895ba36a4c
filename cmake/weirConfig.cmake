# find_package(weir) gives the target weir::weir.
include(${CMAKE_CURRENT_LIST_DIR}/weirTargets.cmake)
